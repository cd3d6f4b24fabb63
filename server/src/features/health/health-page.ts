import { type HealthItem, type HealthReport, type HealthSubject, healthKinds } from '@loci/contract/health'
import { Html, html } from '../../ground/lib/html.ts'
import { toDay } from './check-fact.rules.ts'
import { healthPageStyle } from './health-page-style.ts'
import { describeCure, healthWords } from './health-words.ts'

export type AuditedMemory = { name: string; notes: readonly string[] }

/** A report as one page that loads nothing, light or dark as the reader's system is. */
export function toHealthPage(report: HealthReport, { name, notes }: AuditedMemory): string {
  const { counts, items, checked, checkedAt } = report
  const found = healthKinds.filter((kind) => (counts[kind] ?? 0) > 0)
  const total = found.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0)
  const sections = found.map((kind) =>
    section(
      kind,
      counts[kind] ?? 0,
      items.filter((item) => item.kind === kind),
    ),
  )
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>Memory health: ${name}</title>
<style>${new Html(healthPageStyle)}</style>
</head>
<body>
<header>
<h1>Memory health</h1>
<p>${summaryOf(total, checked)} ${name}, checked on ${toDay(checkedAt)}.</p>
${notes.map((note) => html`<p class="note">${note}</p>`)}
</header>
<div class="columns">
${
  total === 0
    ? html``
    : html`<nav aria-label="What was found"><h2>What was found</h2><ul>${found.map(
        (kind) =>
          html`<li><a href="#${kind}"><i class="${kind}"></i><span>${healthWords[kind].title}</span><b>${number(counts[kind] ?? 0)}</b></a></li>`,
      )}</ul></nav>`
}
<main>${total === 0 ? html`<p class="none">Nothing to mend. ${number(checked.observations)} observations checked.</p>` : sections}</main>
</div>
<footer>Made by <code>loci audit</code>. The rules know words, not the world: look before you mend.</footer>
</body>
</html>
`.text
}

function summaryOf(total: number, { observations, entities }: HealthReport['checked']): string {
  const things = total === 1 ? 'One thing' : `${number(total)} things`
  return `${total === 0 ? 'Nothing' : things} to look at among ${number(observations)} observations of ${number(entities)} entities.`
}

function section(kind: HealthItem['kind'], count: number, items: readonly HealthItem[]): Html {
  const { title, about } = healthWords[kind]
  const more = count - items.length
  return html`<section id="${kind}" aria-labelledby="${kind}-title">
<h2 id="${kind}-title">${title} <small>${number(count)}</small> <span>${about}</span></h2>
<ol>${items.map(article)}</ol>
${more > 0 ? html`<p class="more">And ${number(more)} more.</p>` : html``}
</section>
`
}

const article = (item: HealthItem) => html`<li>
<div class="facts">${item.subjects.map((subject, i) => fact(subject, item.subjects[i - 1]))}</div>
<div class="why"><p>${item.evidence}</p><p class="cure">${describeCure(item)}</p></div>
</li>
`

/** The entity and the place are told once where the next subject has the same. */
function fact({ entity, observation, place }: HealthSubject, before: HealthSubject | undefined): Html {
  const isSame = before?.entity.name === entity.name && before.place === place && observation !== undefined
  const day = observation?.at ?? (observation?.createdAt && toDay(observation.createdAt))
  const told = [day, isSame ? '' : place].filter((part) => part !== undefined && part !== '').join(' · ')
  return html`<div class="fact">${isSame ? html`` : html`<p class="entity"><bdi>${entity.name}</bdi> <small>${entity.type}</small></p>`}
${observation === undefined ? html`` : html`<p class="text" dir="auto">${hidden(observation.content)}</p>`}
${told === '' ? html`` : html`<p class="place">${told}</p>`}</div>
`
}

/** Hidden secrets stand out. */
const hidden = (content: string): Html[] =>
  content
    .split(/(\[redacted: [\w-]+\])/)
    .map((part) =>
      part.startsWith('[redacted: ') ? html`<mark>hidden: ${part.slice(11, -1)}</mark>` : html`${part}`,
    )

const number = (value: number) => value.toLocaleString('en-US')
