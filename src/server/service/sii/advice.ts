/** What is to be done about an invoice in each state of its record that asks for something. */
import type { Text } from '../../../invoice/index.ts'

export const ADVICE: Readonly<Record<string, Text>> = {
  rejected: {
    en: 'It is not in the book. Where its data are wrong, update it (received) or issue a corrective invoice (issued). Where something else was wrong, mend it, and send it again with `cuadra-admin sii send-now --company ID --invoice ID`.',
    es: 'No figura en el libro. Si sus datos son incorrectos, actualícela (recibida) o expida una factura rectificativa (expedida). Si el problema era otro, corríjalo y vuelva a enviarla con `cuadra-admin sii send-now --company ID --invoice ID`.',
  },
  accepted_with_errors: {
    en: 'It is in the book, with errors. Where its data are wrong, update it (received) or issue a corrective invoice (issued). Where something else was wrong, mend it, and send it as a modification with `cuadra-admin sii send-now --company ID --invoice ID`.',
    es: 'Figura en el libro, con errores. Si sus datos son incorrectos, actualícela (recibida) o expida una factura rectificativa (expedida). Si el problema era otro, corríjalo y envíela como modificación con `cuadra-admin sii send-now --company ID --invoice ID`.',
  },
  deleted: {
    en: 'Somebody has deleted its record at the tax authority. Where it belongs in the book, register it again with `cuadra-admin sii send-now --company ID --invoice ID`.',
    es: 'Su registro se ha dado de baja en la AEAT por otra vía. Si debe figurar en el libro, regístrela de nuevo con `cuadra-admin sii send-now --company ID --invoice ID`.',
  },
}
