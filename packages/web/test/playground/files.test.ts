/** Opening and downloading invoices as files. */
import { readFileSync } from 'node:fs'
import type { Download, Page } from 'playwright-core'
import { expect } from 'vitest'
import { required } from '#core/errors/index.ts'
import { readInvoice, writeInvoice } from '#formats/index.ts'
import type { Document } from '#test/conformance/invoices.ts'
import {
  browserTest,
  example,
  issuable,
  offline,
  paste,
  read,
  show,
  summary,
  textOf,
  useSite,
  visit,
} from './site.ts'

const given = useSite()

/** An invoice that every format can represent. */
function shop(): Document {
  const document = example('02-shop-prices-with-tax')
  document.invoice.header.invoice_number = 'WEB-000041'
  document.invoice.issue_data.issue_date = '2026-03-05'
  return document
}

const xmlOf = (format: 'ubl_2_1' | 'cii_d16b' | 'facturae_3_2_2', document = shop()): string => {
  const { xml, errors } = writeInvoice(document, format)
  expect(errors).toEqual([])
  return required(xml)
}

/** Drops files onto the page. */
const drop = (page: Page, on: string, files: readonly { readonly name: string; readonly text: string }[]) =>
  page.locator(on).evaluate((target, dropped) => {
    const { DataTransfer, DragEvent, File } = globalThis
    const dataTransfer = new DataTransfer()
    for (const { name, text } of dropped) dataTransfer.items.add(new File([text], name))
    for (const type of ['dragenter', 'dragover', 'drop'])
      target.dispatchEvent(
        new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true, composed: true }),
      )
  }, files)

const choose = (page: Page, name: string, buffer: Buffer) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/xml', buffer })

const contentOf = async (download: Download): Promise<string> => readFileSync(await download.path(), 'utf8')

browserTest('opens an XML dropped on the editor, with its invoice, result and totals', async () => {
  // The service worker would load the whole site.
  const { page, context, complaints, requests } = await visit(given.browser, given.site.url, {
    serviceWorkers: 'block',
  })
  expect(requests.filter((url) => url.includes('interchange'))).toEqual([])
  const xml = xmlOf('ubl_2_1')
  await drop(page, '.editor-host', [{ name: 'pedido.xml', text: xml }])
  const notice = page.locator('.file-notice')
  await notice.waitFor()
  expect(await read(notice)).toContain('pedido.xml opened as UBL 2.1')
  expect(await notice.getAttribute('role')).toBe('status')
  expect(await notice.evaluate((one) => one === globalThis.document.activeElement)).toBe(true)
  expect(JSON.parse(await textOf(page))).toEqual(readInvoice(xml).document)
  expect(await read(summary(page))).toBe('It adds up')
  expect(await read(page.locator('.summary-total strong'))).toBe('48.87 €')
  expect(await page.locator('html').getAttribute('class')).toBe('')
  // The code of the formats is loaded on first use.
  expect(requests.filter((url) => url.includes('interchange')).length).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Dismiss' }).click()
  expect(await notice.count()).toBe(0)
  expect(complaints).toEqual([])
  await context.close()
})

browserTest('shows the findings and the signature of a file in the language of the page', async () => {
  const { page, context, complaints } = await visit(given.browser, given.site.url)
  const signature =
    '<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo>' +
    '<ds:CanonicalizationMethod Algorithm="urn:a"/><ds:SignatureMethod Algorithm="urn:b"/><ds:Reference>' +
    '<ds:DigestMethod Algorithm="urn:c"/><ds:DigestValue>AAAA</ds:DigestValue></ds:Reference></ds:SignedInfo>' +
    '<ds:SignatureValue>AAAA</ds:SignatureValue><ds:KeyInfo><ds:X509Data>' +
    '<ds:X509IssuerSerial><ds:X509IssuerName>CN=Una autoridad</ds:X509IssuerName><ds:X509SerialNumber>7' +
    '</ds:X509SerialNumber></ds:X509IssuerSerial></ds:X509Data></ds:KeyInfo></ds:Signature>'
  const document = shop()
  document.invoice.payment_details = []
  const plain = xmlOf('facturae_3_2_2', document)
  const signed = plain.replace(/<\/(\w+:)?Facturae>$/, `${signature}$&`)
  expect(signed).not.toBe(plain)
  await choose(page, 'firmada.xsig', Buffer.from(signed))
  const notice = page.locator('.file-notice')
  await notice.getByText('firmada.xsig opened as Facturae 3.2.2').waitFor()
  expect(await read(notice)).toContain(
    'Signed with a certificate issued by CN=Una autoridad. The signature was not verified.',
  )
  expect(await read(notice)).toContain('format.signature_not_verified')
  await page.getByRole('button', { name: 'Español' }).click()
  await notice.getByText('firmada.xsig se ha abierto como Facturae 3.2.2').waitFor()
  expect(await read(notice)).toContain('La firma no se ha verificado.')
  expect(await read(notice)).toContain('El documento lleva una firma electrónica')
  expect(complaints).toEqual([])
  await context.close()
})

browserTest('shows why a file cannot be opened, and leaves the text unchanged', async () => {
  const { page, context, complaints } = await visit(given.browser, given.site.url)
  await paste(page, '{"schema_version":"json_1_1"}')
  const wrong = xmlOf('ubl_2_1').replace(/(<cbc:PayableAmount[^>]*>)48\.87/, '$1' + '49.87')
  await choose(page, 'mal.xml', Buffer.from(wrong))
  const alert = page.getByRole('alert')
  await alert.getByText('mal.xml could not be opened').waitFor()
  expect(await read(alert)).toMatch(/49\.87/)
  expect(await read(alert)).toMatch(/48\.87/)
  expect(await textOf(page)).toBe('{"schema_version":"json_1_1"}')

  await choose(page, 'foto.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00]))
  await alert.getByText('foto.png could not be opened').waitFor()
  await drop(page, 'body', [
    { name: 'a.xml', text: '<a/>' },
    { name: 'b.xml', text: '<b/>' },
  ])
  await alert.getByText('Open one file at a time.').waitFor()
  expect(await textOf(page)).toBe('{"schema_version":"json_1_1"}')

  // JSON needs no conversion: it is opened unchanged.
  await choose(page, 'mia.json', Buffer.from('{ "schema_version": "json_1_1", "meta": {} }'))
  await page.getByText('mia.json opened unchanged').waitFor()
  expect(await textOf(page)).toBe('{ "schema_version": "json_1_1", "meta": {} }')
  expect(complaints).toEqual([])
  await context.close()
})

browserTest('reads a file in its declared encoding', async () => {
  const { page, context } = await visit(given.browser, given.site.url)
  const xml = xmlOf('cii_d16b').replace('UTF-8', 'ISO-8859-15')
  await choose(page, 'latina.xml', Buffer.from(xml, 'latin1'))
  await page.getByText('latina.xml opened as CII D16B').waitFor()
  expect(JSON.parse(await textOf(page)).invoice.supplier.name).toBe(shop().invoice.supplier.name)
  await context.close()
})

browserTest('downloads an invoice in every format that can represent it, by keyboard', async () => {
  const { page, context, complaints } = await visit(given.browser, given.site.url)
  await paste(page, JSON.stringify(shop()))
  await page.getByRole('button', { name: 'Download…' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Download this invoice' })
  await dialog.waitFor()
  const saved = async (format: string) => {
    await dialog.getByRole('button', { name: `Download ${format}` }).focus()
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
    return { name: download.suggestedFilename(), text: await contentOf(download) }
  }
  const ubl = await saved('UBL 2.1')
  expect(ubl.name).toBe('WEB-000041-ubl_2_1.xml')
  expect(readInvoice(ubl.text)).toMatchObject({ format: 'ubl_2_1', errors: [] })
  const cii = await saved('CII D16B')
  expect(readInvoice(cii.text)).toMatchObject({ format: 'cii_d16b', errors: [] })
  const json = await saved('JSON')
  expect([json.name, JSON.parse(json.text)]).toEqual(['WEB-000041.json', shop()])
  await page.keyboard.press('Escape')
  expect(await dialog.count()).toBe(0)
  expect(complaints).toEqual([])
  await context.close()
})

browserTest('shows why a format is not available, also in Spanish', async () => {
  const { page, context } = await visit(given.browser, given.site.url)
  await paste(page, JSON.stringify(issuable()))
  await page.getByRole('button', { name: 'Español' }).click()
  await page.getByRole('button', { name: 'Descargar…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('UBL 2.1 no está disponible:').waitFor()
  expect(await dialog.getByRole('button', { name: 'Descargar UBL 2.1' }).count()).toBe(0)
  expect(await read(dialog.locator('.found').first())).toContain('withholding')
  await dialog.getByRole('button', { name: 'Descargar Facturae 3.2.2' }).waitFor()
  await dialog.getByRole('button', { name: 'Cerrar' }).click()

  // Invalid JSON can only be downloaded as JSON.
  await paste(page, '{')
  await page.getByRole('button', { name: 'Descargar…' }).click()
  await dialog.getByText('exigen una factura').waitFor()
  expect(await dialog.getByRole('button', { name: /^Descargar / }).count()).toBe(1)
  await context.close()
})

browserTest('opens and downloads files offline', async () => {
  await offline(async (page) => {
    await choose(page, 'pedido.xml', Buffer.from(xmlOf('ubl_2_1')))
    await page.getByText('pedido.xml opened as UBL 2.1').waitFor()
    await page.getByRole('button', { name: 'Download…' }).click()
    await page.getByRole('button', { name: 'Download CII D16B' }).waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await show(page, 'paper')
    await page.locator('.paper', { hasText: 'WEB-000041' }).waitFor()
  })
})
