/**
 * Formats the letter as HTML for mail programs, with tables and inline styles, which all mail programs support. It
 * loads nothing from the network; the logo is a part of the mail. Colours are defined for light and dark mode, and keep
 * their contrast if a mail program inverts them. Layout tables are marked as such for screen readers.
 */
import type { Letter, Link, Row } from './letter.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)

/** Converts line breaks to `<br>`, and removes control characters, which HTML does not allow. */
const shown = (text: string): string =>
  escaped(text.replaceAll(/(?![\n\t])\p{Cc}/gu, '')).replaceAll('\n', '<br>')

const FONT = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

const STYLE = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.page,.sheet{background:#16181d!important}
.ink{color:#f2f3f5!important}
.quiet{color:#b4bac4!important}
.rule{border-color:#3a404b!important}
}
@media (max-width:480px){.sheet{padding:20px 16px!important}.label,.value{display:block!important;width:auto!important;text-align:left!important}.label{border-bottom:0!important;padding-bottom:0!important}}`

const paragraph = (text: string): string =>
  `<p class="ink" style="margin:0 0 16px;color:#1a1d23">${shown(text)}</p>`

/** Formats a row of the table. Figures are aligned in columns; long values wrap, so that they do not widen the page. */
const row = ({ label, values }: Row): string =>
  `<tr><th scope="row" class="label quiet rule" align="left" style="padding:9px 16px 9px 0;border-bottom:1px solid #d9dde3;color:#5a6372;font-weight:400;vertical-align:top;text-align:left">${shown(label)}</th>` +
  `<td class="value ink rule" align="right" style="padding:9px 0;border-bottom:1px solid #d9dde3;color:#1a1d23;font-weight:600;text-align:right;font-variant-numeric:tabular-nums;overflow-wrap:anywhere">${values.map(shown).join('<br>')}</td></tr>`

/** The content id of the logo among the parts of the mail. */
export const LOGO_ID = 'logo@cuadra'

// The signature contains the company's name, so the logo needs no alternative text.
const LOGO = `<p style="margin:0 0 24px"><img src="cid:${LOGO_ID}" alt="" style="display:block;max-width:200px;max-height:64px;width:auto;height:auto;border:0"></p>
`

const linkTo = ({ text, url }: Link): string =>
  `<p class="ink" style="margin:0 0 16px"><a class="ink" href="${shown(url)}" style="color:#1a1d23;text-decoration:underline">${shown(text)}</a></p>
`

export function htmlOf(
  { language, subject, paragraphs, rows, links, closing, signature }: Letter,
  hasLogo: boolean,
): string {
  const [name = '', ...contact] = signature
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<title>${shown(subject)}</title>
<style>${STYLE}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#ffffff">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="page" style="background:#ffffff"><tr><td align="center">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px"><tr>
<td class="sheet ink" align="left" style="padding:32px 24px;background:#ffffff;color:#1a1d23;${FONT};font-size:16px;line-height:1.5;text-align:left">
${hasLogo ? LOGO : ''}${paragraphs.map(paragraph).join('\n')}
<table width="100%" cellpadding="0" cellspacing="0" border="0" class="rule" style="margin:8px 0 24px;border-top:1px solid #d9dde3;border-collapse:collapse;font-size:15px;line-height:1.4">
${rows.map(row).join('\n')}
</table>
${links.map(linkTo).join('')}${closing.map(paragraph).join('\n')}
<p class="ink" style="margin:0;color:#1a1d23;font-weight:600">${shown(name)}</p>
${contact.map((one) => `<p class="quiet" style="margin:2px 0 0;color:#5a6372;font-size:14px">${shown(one)}</p>`).join('\n')}
</td></tr></table>
</td></tr></table>
</body>
</html>
`
}
