/** Creates the delivery of mails: to a mail server, or to a folder if none is configured. */
import type { Config } from '../environment/config.ts'
import { folderDelivery } from './folder.ts'
import type { Deliver } from './outgoing.ts'
import { smtpDelivery } from './smtp.ts'

export const createMailer = ({ smtpUrl, smtpName, mailTimeout, dataDir }: Config): Deliver =>
  smtpUrl === undefined ? folderDelivery(dataDir) : smtpDelivery(smtpUrl, mailTimeout, smtpName)
