/** The JSON Schemas of the invoice, by the name under which they refer to each other. */
import codes from '../../../schemas/codes.json'
import common from '../../../schemas/common.json'
import draft from '../../../schemas/draft.json'
import header from '../../../schemas/header.json'
import importSchema from '../../../schemas/import.json'
import input from '../../../schemas/input.json'
import invoice from '../../../schemas/invoice.json'
import issue from '../../../schemas/issue.json'
import issueData from '../../../schemas/issue-data.json'
import issued from '../../../schemas/issued.json'
import json from '../../../schemas/json_1_1.json'
import line from '../../../schemas/line.json'
import meta from '../../../schemas/meta.json'
import party from '../../../schemas/party.json'
import payment from '../../../schemas/payment.json'
import received from '../../../schemas/received.json'
import taxOutput from '../../../schemas/tax-output.json'
import taxWithheld from '../../../schemas/tax-withheld.json'
import totals from '../../../schemas/totals.json'

/** The keywords that completion reads. `false` as a schema forbids a member. */
export interface Schema {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema | false>>
  readonly items?: Schema
  readonly required?: readonly string[]
  readonly type?: string
  readonly enum?: readonly (string | number)[]
  readonly const?: string | number
  readonly description?: string
  readonly title?: string
  readonly format?: string
  readonly readOnly?: boolean
}

export const SCHEMAS = {
  'codes.json': codes,
  'common.json': common,
  'draft.json': draft,
  'header.json': header,
  'import.json': importSchema,
  'input.json': input,
  'invoice.json': invoice,
  'issue-data.json': issueData,
  'issue.json': issue,
  'issued.json': issued,
  'json_1_1.json': json,
  'line.json': line,
  'meta.json': meta,
  'party.json': party,
  'payment.json': payment,
  'received.json': received,
  'tax-output.json': taxOutput,
  'tax-withheld.json': taxWithheld,
  'totals.json': totals,
} as unknown as Readonly<Record<string, Schema>>
