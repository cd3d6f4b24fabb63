import { type Html, html } from '../../ground/lib/html.ts'
import { markedText } from '../../ground/lib/marked-text.ts'

/** The content of a mail, before layout. */
export type MailContent = {
  subject: string
  /** One or a few sentences each. */
  paragraphs: readonly string[]
  /** Things, and what is told of each, after the paragraphs. */
  groups?: readonly { name: string; lines: readonly string[] }[]
  /** After the groups. */
  closing?: readonly string[]
  /** `['Total', '$20.00']` */
  facts?: readonly (readonly [label: string, value: string])[]
  /** What the reader is asked to do next. */
  action?: { label: string; url: string }
  /** Why the reader gets this mail. */
  footnote: string
  /** Ends mails of this kind, for mail programs and for the reader. */
  unsubscribeUrl?: string
}

/** The footnote of mails to the owner of an account on the server at `address`. */
export const ownersFootnote = (address: string) =>
  `You get this mail because you own the account at ${address}.`

/** The same mail as plain text and as HTML; every mail is sent as both. */
export type MailBody = { subject: string; text: string; html: string; unsubscribeUrl?: string | undefined }

export function toMailBody(content: MailContent): MailBody {
  const { subject, unsubscribeUrl } = content
  return {
    ...{ subject, text: toText(content), html: toHtml(content).text },
    ...(unsubscribeUrl !== undefined && { unsubscribeUrl }),
  }
}

function toText(content: MailContent): string {
  const { paragraphs, groups = [], closing = [], facts = [], action, footnote, unsubscribeUrl } = content
  const things = groups.map(({ name, lines }) => [name, ...lines.map((line) => `- ${line}`)].join('\n'))
  const widest = Math.max(0, ...facts.map(([label]) => label.length))
  const table = facts.map(([label, value]) => `${`${label}:`.padEnd(widest + 2)}${value}`).join('\n')
  const link = action === undefined ? '' : `${action.label}: ${action.url}`
  const stop = unsubscribeUrl === undefined ? '' : ` Stop it: ${unsubscribeUrl}`
  const blocks = [...paragraphs, ...things, ...closing, table, link, `-- \n${footnote}${stop}`]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

// Most mail programs drop style sheets, so each element has inline styles; those that keep them show dark colours.
const styles = {
  body: 'margin:0;padding:24px 16px;background:#f8f7f4;color:#1b1a1f;font:15px/1.5 -apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;overflow-wrap:anywhere;word-break:break-word',
  card: 'max-width:520px;margin:0 auto;padding:28px;background:#ffffff;border:1px solid #e6e3dc;border-radius:10px',
  brand: 'margin:0 0 20px;font-weight:600',
  paragraph: 'margin:0 0 16px',
  name: 'margin:0;padding:14px 0 4px;border-top:1px solid #e6e3dc;font-size:15px;line-height:1.5;font-weight:600',
  lines: 'margin:0 0 14px;padding:0;list-style:none',
  line: 'padding:2px 0',
  table: 'width:100%;margin:0 0 20px;border-collapse:collapse;font-size:14px',
  label:
    'padding:6px 12px 6px 0;text-align:left;font-weight:400;color:#55525c;border-bottom:1px solid #e6e3dc',
  value: 'padding:6px 0;text-align:right;border-bottom:1px solid #e6e3dc',
  button:
    'display:inline-block;padding:10px 18px;background:#1b1a1f;color:#ffffff;text-decoration:none;border-radius:6px;font-weight:500',
  footnote: 'max-width:520px;margin:16px auto 0;font-size:12px;color:#55525c',
  stop: 'color:#55525c',
}
const darkStyle = `@media (prefers-color-scheme: dark) {
body { background: #0e1016 !important; color: #eceef4 !important; }
.card { background: #14171f !important; }
.card, .line { border-color: #232834 !important; }
.quiet { color: #a9b0c0 !important; }
.button { background: #eceef4 !important; color: #12141a !important; }
}`

function toHtml(content: MailContent): Html {
  const { subject, paragraphs, groups = [], closing = [], facts = [] } = content
  const { action, footnote, unsubscribeUrl } = content
  const paragraph = (text: string) => html`<p dir="auto" style="${styles.paragraph}">${text}</p>\n`
  const things = groups.map(
    ({ name, lines }) =>
      html`<h2 dir="auto" class="line" style="${styles.name}">${name}</h2>
<ul style="${styles.lines}">${lines.map((line) => html`<li dir="auto" style="${styles.line}">${markedText(line)}</li>`)}</ul>\n`,
  )
  const rows = facts.map(
    ([label, value]) =>
      html`<tr><th scope="row" class="quiet line" style="${styles.label}">${label}</th><td class="line" style="${styles.value}">${value}</td></tr>`,
  )
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${subject}</title>
<style>${darkStyle}</style>
</head>
<body style="${styles.body}">
<div class="card" style="${styles.card}">
<p style="${styles.brand}">Loci</p>
${paragraphs.map(paragraph)}${things}${closing.map(paragraph)}
${rows.length === 0 ? html`` : html`<table role="presentation" style="${styles.table}">${rows}</table>`}
${action === undefined ? html`` : html`<p style="margin:0"><a href="${action.url}" class="button" style="${styles.button}">${action.label}</a></p>`}
</div>
<p class="quiet" style="${styles.footnote}">${footnote}${unsubscribeUrl === undefined ? html`` : html` <a href="${unsubscribeUrl}" class="quiet" style="${styles.stop}">Stop it</a>`}</p>
</body>
</html>
`
}
