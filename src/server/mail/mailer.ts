/** The port behind which mails go out: a mail server, or a folder where there is none. */
import type { Config } from '../environment/config.ts'
import { folderDelivery } from './folder.ts'
import type { Deliver } from './outgoing.ts'
import { smtpDelivery } from './smtp.ts'

export const createMailer = ({ smtpUrl, smtpName, mailTimeout, dataDir }: Config): Deliver =>
  smtpUrl === undefined ? folderDelivery(dataDir) : smtpDelivery(smtpUrl, mailTimeout, smtpName)
