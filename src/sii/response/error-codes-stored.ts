/** Errors with which a record is accepted but needs correction (2xxx), and errors about stored records (3xxx). */
export const STORED_ERRORS = [
  [
    2000,
    'Regime keys 12 and 13 (leases) require the data of the property.',
    'Las claves 12 y 13 exigen los datos del inmueble.',
  ],
  [2001, 'BaseImponibleACoste is only for regime key 06.', 'La base a coste solo va con la clave 06.'],
  [
    2002,
    'The data of the property are only for regime keys 12 and 13.',
    'Los datos del inmueble solo van con las claves 12 y 13.',
  ],
  [2003, 'A corrected invoice is not in the book.', 'Una factura rectificada no está en el libro.'],
  [
    2005,
    'BaseImponibleACoste is only for regime key 06 (book of received invoices).',
    'La base a coste solo va con la clave 06 (libro de recibidas).',
  ],
  [
    2006,
    'A foreign counterparty requires the breakdown by operation.',
    'Una contraparte extranjera exige el desglose por operación.',
  ],
  [
    2007,
    'Cash amounts are reported only above 6,000 euros.',
    'Los cobros en metálico solo se declaran si superan los 6.000 euros.',
  ],
  [
    2008,
    'The fields of the special scheme for agriculture (REAGYP) are only for regime key 02.',
    'Los campos de REAGYP solo van con la clave 02.',
  ],
  [2009, 'REAGYP fields are only for key 02.', 'Los campos de REAGYP solo van con la clave 02.'],
  [2011, 'The counterparty’s NIF is not in the census.', 'El NIF de la contraparte no consta en el censo.'],
  [2041, 'Keys 03, 05 and 09 require ImporteTotal.', 'Las claves 03, 05 y 09 exigen ImporteTotal.'],
  [3000, 'The invoice is already stored.', 'La factura ya está registrada.'],
  [3001, 'The record was already deleted.', 'El registro ya se dio de baja.'],
  [
    3002,
    'The record to change or delete does not exist.',
    'No existe el registro que se quiere modificar o dar de baja.',
  ],
  [
    3003,
    'Collections of a deleted invoice cannot be reported.',
    'No pueden declararse cobros de una factura dada de baja.',
  ],
  [3004, 'A field is too long.', 'Un campo es demasiado largo.'],
  [
    3005,
    'Collections can be reported only for invoices with regime key 07.',
    'Solo pueden declararse cobros de facturas con clave de régimen 07.',
  ],
  [
    3006,
    'Payments of a deleted invoice cannot be reported.',
    'No pueden declararse pagos de una factura dada de baja.',
  ],
  [
    3007,
    'Payments can be reported only for invoices with regime key 07.',
    'Solo pueden declararse pagos de facturas con clave de régimen 07.',
  ],
  [
    3010,
    'The sender of the message is not authorised for this invoice.',
    'Quien presenta no tiene facultades sobre la factura.',
  ],
  [
    3011,
    'The regime key cannot change while there are collections or payments.',
    'La clave no puede cambiar mientras haya cobros o pagos.',
  ],
] as const satisfies readonly (readonly [number, string, string])[]
