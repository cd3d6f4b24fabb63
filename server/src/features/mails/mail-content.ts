import { type Html, html } from '../../ground/lib/html.ts'

/** The content of a mail, before layout. */
export type MailContent = {
  subject: string
  /** One or a few sentences each. */
  paragraphs: readonly string[]
  /** `['Total', '$20.00']` */
  facts?: readonly (readonly [label: string, value: string])[]
  /** What the reader is asked to do next. */
  action?: { label: string; url: string }
  /** Why the reader gets this mail. */
  footnote: string
  /** Where mail programs can end mails of this kind. */
  unsubscribeUrl?: string
}

/** The same mail as plain text and as HTML; every mail is sent as both. */
export type MailBody = { subject: string; text: string; html: string; unsubscribeUrl?: string | undefined }

export function toMailBody(content: MailContent): MailBody {
  const { subject, unsubscribeUrl } = content
  return {
    ...{ subject, text: toText(content), html: toHtml(content).text },
    ...(unsubscribeUrl !== undefined && { unsubscribeUrl }),
  }
}

function toText({ paragraphs, facts = [], action, footnote }: MailContent): string {
  const widest = Math.max(0, ...facts.map(([label]) => label.length))
  const table = facts.map(([label, value]) => `${`${label}:`.padEnd(widest + 2)}${value}`).join('\n')
  const link = action === undefined ? '' : `${action.label}: ${action.url}`
  const blocks = [...paragraphs, table, link, `-- \n${footnote}`]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

// Mail programs drop style sheets, so each element has inline styles.
const styles = {
  body: 'margin:0;padding:24px;background:#f6f6f8;color:#17171b;font:15px/1.5 -apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif',
  card: 'max-width:520px;margin:0 auto;padding:28px;background:#ffffff;border:1px solid #e6e6eb;border-radius:12px',
  brand: 'margin:0 0 20px;font-weight:600;color:#17171b',
  paragraph: 'margin:0 0 16px;color:#17171b',
  table: 'width:100%;margin:0 0 20px;border-collapse:collapse;font-size:14px',
  label:
    'padding:6px 12px 6px 0;text-align:left;font-weight:400;color:#5f5f6b;border-bottom:1px solid #e6e6eb',
  value: 'padding:6px 0;text-align:right;color:#17171b;border-bottom:1px solid #e6e6eb',
  button:
    'display:inline-block;padding:10px 18px;background:#17171b;color:#ffffff;text-decoration:none;border-radius:8px;font-weight:500',
  footnote: 'max-width:520px;margin:16px auto 0;font-size:12px;color:#5f5f6b',
}

function toHtml({ subject, paragraphs, facts = [], action, footnote }: MailContent): Html {
  const rows = facts.map(
    ([label, value]) =>
      html`<tr><th scope="row" style="${styles.label}">${label}</th><td style="${styles.value}">${value}</td></tr>`,
  )
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${subject}</title>
</head>
<body style="${styles.body}">
<div style="${styles.card}">
<p style="${styles.brand}">Loci</p>
${paragraphs.map((paragraph) => html`<p style="${styles.paragraph}">${paragraph}</p>\n`)}
${rows.length === 0 ? html`` : html`<table role="presentation" style="${styles.table}">${rows}</table>`}
${action === undefined ? html`` : html`<p style="margin:0"><a href="${action.url}" style="${styles.button}">${action.label}</a></p>`}
</div>
<p style="${styles.footnote}">${footnote}</p>
</body>
</html>
`
}
