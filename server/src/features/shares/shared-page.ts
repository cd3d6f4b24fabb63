import type { FastifyReply } from 'fastify'
import { cspHash, Html, html } from '../../ground/lib/html.ts'
import { markedText } from '../../ground/lib/marked-text.ts'
import { dayOf } from '../../ground/lib/time.ts'
import type { SharedEntity, SharedPage } from './read-shared.ts'
import { drawGraph } from './shared-graph.ts'
import { style } from './shared-style.ts'
import { slotIndex, titleOf } from './shares.rules.ts'

const styleHash = cspHash(style)
const wholeName = { region: 'One region', path: 'One path', entity: 'One entity', date: 'A moment' }

export const headingOf = ({ share, entities }: SharedPage) =>
  titleOf(
    share.kind,
    share.title,
    entities.map(({ name }) => name),
  )

/** Sends the page, which has no scripts and leads nowhere else. */
export function sendSharedPage(reply: FastifyReply, page: SharedPage, pictureUrl: string): FastifyReply {
  const { share, entities, relations } = page
  const title = headingOf(page)
  const facts = entities.reduce((sum, { facts: own }) => sum + own.length, 0)
  const counts = `${counted(entities.length, 'entity', 'entities')}, ${counted(facts, 'fact', 'facts')}, ${counted(relations.length, 'relation', 'relations')}`
  const stood = `as it stood on ${dayWords(share.asOf ?? share.createdAt)}`
  const summary = `${wholeName[share.kind]} of a memory, ${stood}: ${counts}`
  const body = html`<header class="top"><b>${mark} Loci</b><span>Read-only</span>${share.expiresAt === null ? none : html`<span>Open until ${dayWords(share.expiresAt)}</span>`}</header>
<main>
<h1 dir="auto">${title}</h1>
<p class="about">${summary}</p>
${share.note === '' ? none : html`<blockquote dir="auto">${share.note}</blockquote>`}
<div class="frame">
<figure>${drawGraph(page)}${legendOf(entities)}</figure>
<section class="list" aria-labelledby="list"><h2 id="list">In this view <span>${entities.length}</span></h2>
${entities.map((entity) => entryOf(entity, page))}
</section>
</div>
<p class="foot">This page shows these ${counted(entities.length, 'entity', 'entities')} and nothing else of the memory. Relations that lead out of it, and who wrote what, are left out.</p>
</main>`
  return send(reply, { status: 200, title, body, head: previewOf(title, summary, pictureUrl) })
}

/** The same for every address that leads nowhere, whatever the reason. */
export function sendNoLongerShared(reply: FastifyReply): FastifyReply {
  const title = 'This page is no longer shared.'
  const body = html`<header class="top"><b>${mark} Loci</b></header>
<main class="gone"><h1>${title}</h1><p class="about">It was ended, has expired, or its address is incomplete. Ask whoever sent it for a new link.</p></main>`
  return send(reply, { status: 404, title, body, head: none })
}

const none = new Html('')
const mark = new Html(
  '<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><path d="M8 7v17h17"/><circle cx="8" cy="7" r="4"/><circle cx="25" cy="24" r="4"/><circle class="lit" cx="8" cy="24" r="5.6"/></svg>',
)
/** More relations of an entity are folded. */
const relationsShown = 5
const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]

function dayWords(at: number | string): string {
  const [year, month, day] = (typeof at === 'number' ? dayOf(at) : at.slice(0, 10)).split('-').map(Number)
  return `${day} ${months[month! - 1]} ${year}`
}

function previewOf(title: string, summary: string, pictureUrl: string): Html {
  return html`<meta property="og:type" content="website"><meta property="og:title" content="${title}"><meta property="og:description" content="${summary}"><meta property="og:image" content="${pictureUrl}"><meta property="og:image:width" content="1200"><meta property="og:image:height" content="630"><meta name="twitter:card" content="summary_large_image">`
}

function legendOf(entities: readonly SharedEntity[]): Html {
  const colours = new Map(entities.map(({ type, colour }) => [type, slotIndex(colour)]))
  const items = [...colours].slice(0, 12)
  return html`<figcaption>${items.map(([type, slot]) => html`<span class="c${slot}"><i></i>${type}</span>`)}</figcaption>`
}

function entryOf(
  { number, name, type, colour, facts }: SharedEntity,
  { entities, relations }: SharedPage,
): Html {
  const nameOf = new Map(entities.map((entity) => [entity.number, entity.name]))
  const end = (entity: number) => html`<a href="#e${entity}">${nameOf.get(entity) ?? ''}</a>`
  const sentence = ({ from, to, type: relation }: SharedPage['relations'][number]) =>
    html`<li>${end(from)} ${relation.replaceAll('_', ' ')} ${end(to)}</li>`
  const own = relations.filter(({ from, to }) => from === number || to === number)
  return html`<article id="e${number}"><h3 dir="auto"><i class="c${slotIndex(colour)}"></i>${name}</h3><p class="type">${type}</p>
${facts.length === 0 ? none : html`<ul>${facts.map(({ content, at }) => html`<li dir="auto">${markedText(content)}<small><bdi>${dayWords(at)}</bdi></small></li>`)}</ul>`}
${own.length === 0 ? none : html`<ul class="relations">${own.slice(0, relationsShown).map(sentence)}</ul>`}
${own.length <= relationsShown ? none : html`<details><summary>${counted(own.length - relationsShown, 'more relation', 'more relations')}</summary><ul class="relations">${own.slice(relationsShown).map(sentence)}</ul></details>`}
</article>`
}

type Document = { status: number; title: string; head: Html; body: Html }

function send(reply: FastifyReply, { status, title, head, body }: Document): FastifyReply {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${title}</title>
${head}
<style>${new Html(style)}</style>
</head>
<body>
${body}
</body>
</html>`
  return reply
    .code(status)
    .headers({
      'content-security-policy': `default-src 'none'; style-src ${styleHash}; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
    })
    .type('text/html; charset=utf-8')
    .send(document.text)
}
