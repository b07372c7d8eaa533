/** The output tab and the company dialog. */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { validate } from '#engine/index.ts'
import { recordHash, recordXml } from '#records/verifactu/index.ts'
import {
  browserTest,
  example,
  issuable,
  paste,
  read,
  show,
  summary,
  textOf,
  until,
  useSite,
  visit,
} from './site.ts'

const given = useSite()

const panel = (page: Page, name: string) => page.getByRole('region', { name })

async function saved(page: Page, name: string): Promise<{ readonly file: string; readonly text: string }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    panel(page, name).getByRole('button', { name: 'Download' }).click(),
  ])
  return { file: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') }
}

browserTest(
  'copies and downloads the completed invoice, the record, its XML, its hash and its QR code',
  async () => {
    const { page, context, complaints, requests } = await visit(given.browser, given.site.url, {
      serviceWorkers: 'block',
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    expect(requests.filter((url) => url.includes('/output'))).toEqual([])
    const document = issuable()
    await paste(page, JSON.stringify(document))
    await show(page, 'output')
    const { text: completed, file } = await saved(page, 'Completed invoice')
    expect(file).toBe('P26-0014.json')
    expect(JSON.parse(completed)).toEqual(
      JSON.parse(JSON.stringify(validate(document, { operation: 'issue' }).data)),
    )

    await page.locator('#tab-output-record').click()
    const record = JSON.parse((await saved(page, 'VeriFactu registration record')).text)
    const { RegistroAlta } = record
    expect(RegistroAlta.ImporteTotal).toBe('1990.45')
    expect(RegistroAlta.Encadenamiento).toEqual({ PrimerRegistro: 'S' })
    const {
      IDFactura: id,
      TipoFactura,
      CuotaTotal,
      ImporteTotal,
      FechaHoraHusoGenRegistro: timestamp,
    } = RegistroAlta
    const { IDEmisorFactura, NumSerieFactura, FechaExpedicionFactura: date } = id
    const hashed = [
      IDEmisorFactura,
      NumSerieFactura,
      date,
      TipoFactura,
      CuotaTotal,
      ImporteTotal,
      '',
      timestamp,
    ]
    expect(RegistroAlta.Huella).toBe(recordHash('alta', hashed))
    expect(await read(page.locator('.panel-output'))).toContain('It uses an example system')

    await page.locator('#tab-output-xml').click()
    // All panels share one timestamp, so the hash stays the same.
    await page.waitForTimeout(1100)
    const xml = await saved(page, 'Record as XML')
    expect(xml).toEqual({ file: 'P26-0014-verifactu.xml', text: `${recordXml(record, { indent: 2 })}\n` })

    await page.locator('#tab-output-code').click()
    await panel(page, 'Hash of the record').getByRole('button', { name: 'Copy' }).click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(RegistroAlta.Huella)
    const code = await saved(page, 'QR code of the invoice')
    expect(code.file).toBe('P26-0014-qr.svg')
    expect(code.text).toMatch(/^<svg /)
    expect(await read(panel(page, 'QR code of the invoice'))).toContain(
      'numserie=P26-0014&fecha=27-02-2026&importe=1990.45',
    )

    await page.locator('#tab-output-sii').click()
    expect(JSON.parse((await saved(page, 'SII record')).text).FacturaExpedida.TipoFactura).toBe('F1')
    expect((await saved(page, 'SII message with this record')).text).toContain('SuministroLRFacturasEmitidas')
    expect(complaints).toEqual([])
    await context.close()
  },
)

browserTest('sets number and date of a draft with one click, and shows why there is no record', async () => {
  const { page, context, complaints } = await visit(given.browser, given.site.url)
  await show(page, 'output')
  await page.locator('#tab-output-code').click()
  await page.getByRole('button', { name: /^Set number P26-1 and date/ }).click()
  await expect.poll(() => read(page.locator('.artifact-line').first())).toMatch(/^[0-9A-F]{64}$/)
  expect(JSON.parse(await textOf(page)).invoice.header.invoice_number).toBe('P26-1')

  const wrong = issuable()
  wrong.invoice.lines[0].tax_output_rate = 20
  await paste(page, JSON.stringify(wrong))
  await page.getByText('The invoice has errors. Correct them first').waitFor()
  await paste(page, JSON.stringify(example('15-received-electricity')))
  await page.getByText('VeriFactu covers issued invoices only.').waitFor()
  await page.locator('#tab-output-sii').click()
  await panel(page, 'SII record').getByText('"FacturaRecibida"').waitFor()
  expect(complaints).toEqual([])
  await context.close()
})

browserTest(
  'stores the company, checks invoices for it, uses it in records, and shares it on request',
  async () => {
    const { page, context, complaints } = await visit(given.browser, given.site.url)
    await paste(page, JSON.stringify(issuable()))
    await page.getByRole('button', { name: 'Company' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Tax id', { exact: true }).fill('B12345674')
    await dialog.getByLabel('Name', { exact: true }).fill('Otra, S.L.')
    await dialog.getByRole('button', { name: 'Use the example' }).click()
    await dialog.getByLabel('Name of the software').fill('Mi programa')
    await dialog.getByLabel('Mode').selectOption('no')
    await dialog.getByLabel('Invoice number').fill('P26-0013')
    await dialog.getByLabel('Issue date').fill('2026-02-26')
    await dialog.getByLabel('Hash').fill('a'.repeat(64))
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByText('The issuer 12345678Z is not the company B12345674.').waitFor()
    const link = page.locator('.problem-law a')
    expect(await link.getAttribute('href')).toBe('/codes/issuer_tax_id_mismatch')

    await page.reload()
    await page.getByRole('button', { name: 'Company: Otra, S.L.' }).click()
    await dialog.getByLabel('Tax id', { exact: true }).fill('12345678Z')
    await page.keyboard.press('Escape')
    await summary(page).getByText('It adds up').waitFor()
    await show(page, 'output')
    await page.locator('#tab-output-record').click()
    const shown = page.locator('.artifact-text')
    await expect.poll(() => read(shown)).toContain('"NombreSistemaInformatico": "Mi programa"')
    expect(JSON.parse(await read(shown)).RegistroAlta.Encadenamiento.RegistroAnterior).toEqual({
      IDEmisorFactura: '12345678Z',
      NumSerieFactura: 'P26-0013',
      FechaExpedicionFactura: '26-02-2026',
      Huella: 'A'.repeat(64),
    })
    await page.locator('#tab-output-code').click()
    await expect.poll(() => read(panel(page, 'QR code of the invoice'))).toContain('ValidarQRNoVerifactu')

    await page.getByRole('button', { name: 'Share' }).click()
    await until(page, "document.querySelector('dialog input').value.includes('company=')")
    const withCompany = await dialog.getByRole('textbox').inputValue()
    await dialog.getByLabel('Include my company settings').uncheck()
    await until(page, "!document.querySelector('dialog input').value.includes('company=')")
    const without = await dialog.getByRole('textbox').inputValue()
    for (const [address, name] of [
      [withCompany, 'Company: Otra, S.L.'],
      [without, 'Company'],
    ] as const) {
      const other = await visit(given.browser, address)
      await other.page.getByRole('button', { name, exact: true }).waitFor()
      // The company of a link is not stored.
      expect(await other.page.evaluate("localStorage.getItem('cuadra.company')")).toBe(null)
      await other.context.close()
    }
    const broken = await visit(given.browser, `${without}&company=%%%`)
    await broken.page.getByRole('alert').getByText('The link is damaged').waitFor()
    await broken.context.close()
    expect(complaints).toEqual([])
    await context.close()
  },
)

browserTest('accepts a document with `$schema`', async () => {
  const { page, context } = await visit(given.browser, given.site.url)
  await paste(page, JSON.stringify({ $schema: 'urn:cuadra:schema:json_1_1', ...issuable() }))
  await show(page, 'output')
  await summary(page).getByText('It adds up').waitFor()
  expect(await read(page.locator('.artifact-text'))).not.toContain('$schema')
  await context.close()
})
