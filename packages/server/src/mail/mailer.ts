/** Creates the delivery of mails: to a mail server, or to a folder if none is configured. */
import type { Config } from '../environment/config.ts'
import { folderDelivery } from './mail-folder.ts'
import type { Deliver } from './outgoing.ts'

export async function createMailer({ smtpUrl, smtpName, mailTimeout, dataDir }: Config): Promise<Deliver> {
  if (smtpUrl === undefined) return folderDelivery(dataDir)
  const { smtpDelivery } = await import('./smtp.ts')
  return smtpDelivery(smtpUrl, mailTimeout, smtpName)
}
