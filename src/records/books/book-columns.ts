/**
 * Columns of the three books, in the order of the official format. Source: AEAT, "Formatos de los libros registro", and
 * their record designs of 21 March 2025.
 */

export interface Column {
  /** Name of the cell in a row. */
  readonly name: string
  /** Common title above several columns; empty if there is none. */
  readonly group: string
  readonly header: string
  /** Official type, such as `Decimal(12,2)`. */
  readonly type: string
}

/**
 * Reads columns from a text with one group per line, `group: name=header type; …`. Types are `A20` (text), `D12,2`
 * (digits and decimals) and `date`.
 */
const columnsIn = (text: string): Column[] =>
  text
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [, group = '', list = ''] = /^(.*?): *(.*)/.exec(line.trim()) ?? []
      return list.split('; ').map((declared): Column => {
        const [, name = '', header = '', type = ''] = /^(\w+)=(.*) (\S+)$/.exec(declared) ?? []
        return { name, group, header, type: typeOf(type) }
      })
    })

function typeOf(short: string): string {
  if (short === 'date') return 'Fecha(dd/mm/yyyy)'
  return `${short.startsWith('A') ? 'Alfanumérico' : 'Decimal'}(${short.slice(1)})`
}

const START = `Autoliquidación: year=Ejercicio D4,0; period=Periodo A2
  Actividad: activity_code=Código A1; activity_type=Tipo A2; iae=Grupo o Epígrafe del IAE A4`
const DATES = ': issue_date=Fecha Expedición date; operation_date=Fecha Operación date'
const SUPPLIER =
  'Identificación Factura del Expedidor: number=(Serie-Número) A40; final_number=Número-Final A20'
const RECEPTION = 'reception_number=Número Recepción A20; reception_final_number=Número Recepción Final A20'
const ID = 'id_type=Tipo A2; country=Código País A2; id=Identificación A20'
const SURCHARGE = ': surcharge_rate=Tipo de Recargo Eq. D4,2; surcharge=Cuota Recargo Eq. D12,2'
const CASH_BASIS = '(Operación Criterio de Caja de IVA y/o artículo 7.2.1º de Reglamento del IRPF)'
const PAYMENT = `payment_date=Fecha date; payment_amount=Importe D12,2; payment_means=Medio Utilizado A2; payment_account=Identificación Medio Utilizado A34`
const WITHHOLDING =
  ': withholding_rate=Tipo Retención del IRPF D4,2; withholding=Importe Retenido del IRPF D12,2'
const END = `: agreement=Registro Acuerdo Facturación A15
  Inmueble: property_situation=Situación A1; cadastral_reference=Referencia Catastral A20
  : external_reference=Referencia Externa A40`

/** Book of issued invoices: 36 columns. */
export const ISSUED_COLUMNS: readonly Column[] = columnsIn(`${START}
  : invoice_type=Tipo de Factura A2; income_concept=Concepto de Ingreso A3; income=Ingreso Computable D12,2
  ${DATES}
  Identificación de la Factura: series=Serie A20; number=Número A20; final_number=Número-Final A20
  NIF Destinatario: ${ID}
  : name=Nombre Destinatario A40; key=Clave de Operación A2
  : qualification=Calificación de la Operación A2; exemption=Operación Exenta A2
  : total=Total Factura D12,2; base=Base Imponible D12,2
  : rate=Tipo de IVA D4,2; tax=Cuota IVA Repercutida D12,2
  ${SURCHARGE}
  Cobro ${CASH_BASIS}: ${PAYMENT}
  ${WITHHOLDING}
  ${END}`)

/** Book of received invoices: 42 columns. */
export const RECEIVED_COLUMNS: readonly Column[] = columnsIn(`${START}
  : invoice_type=Tipo de Factura A2; expense_concept=Concepto de Gasto A3; expense=Gasto Deducible D12,2
  ${DATES}
  ${SUPPLIER}
  : reception_date=Fecha Recepción date; ${RECEPTION}
  NIF Expedidor: ${ID}
  : name=Nombre Expedidor A40; key=Clave de Operación A2; investment=Bien de Inversión A1
  : reverse_charge=Inversión del Sujeto Pasivo A1; deducted_later=Deducible en Periodo Posterior A1
  Periodo Deducción: deduction_year=Ejercicio D4,0; deduction_period=Periodo A2
  : total=Total Factura D12,2; base=Base Imponible D12,2
  : rate=Tipo de IVA D4,2; tax=Cuota IVA Soportado D12,2; deductible=Cuota Deducible D12,2
  ${SURCHARGE}
  Pago ${CASH_BASIS}: ${PAYMENT}
  ${WITHHOLDING}
  ${END}`)

/** Book of investment goods: 42 columns, as in the template. The record design has no columns of `Inmueble`. */
export const INVESTMENT_COLUMNS: readonly Column[] = columnsIn(`${START}
  : asset_type=Tipo de Bien A2
  Descripción del Bien: asset_id=Identificador A40; asset_description=Literal A160
  : start_of_use=Fecha Inicio Utilización date; acquisition_value=Valor Adquisición D12,2
  : depreciable_value=Valor Amortizable D12,2; depreciation_method=Método de Amortización A2
  : depreciation_rate=Porcentaje de Amortización D4,2
  Amortización: depreciation_before=Acumulada al Inicio D12,2; depreciation=Cuota Resultante D12,2
  Amortización: depreciation_after=Acumulada al final D12,2; depreciation_left=Pendiente D12,2
  : issue_date=Fecha Expedición date
  ${SUPPLIER}
  : ${RECEPTION}
  NIF Expedidor: ${ID}
  : name=Nombre Expedidor A40
  Año de Inicio Utilización: base=Base Imponible D12,2; rate=Tipo de IVA D4,2
  Año de Inicio Utilización: initial_pro_rata=Prorrata Definitiva D5,2; initial_deductible=Cuota Deducible D12,2
  Regularización Anual: pro_rata=Prorrata Definitiva D5,2; deductible=Cuota Deducible D12,2
  Regularización Anual: regularisation=Cuota a Regularizar D12,2
  Baja del Bien: disposal_date=Fecha date; disposal_cause=Causa A2
  Identificación de la Factura de Transmisión del Bien: disposal_series=Serie A20; disposal_number=Número A20
  Identificación de la Factura de Transmisión del Bien: disposal_final_number=Número-Final A20
  ${END}`)
