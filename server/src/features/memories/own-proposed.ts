import type { ProposedChange } from '@loci/contract/proposals'
import { inLine } from '../../ground/lib/for-models.ts'
import { takeFitting } from '../../ground/lib/json-size.ts'
import { listOwnChanges } from '../../memory/write/proposals/own-changes.ts'
import { analyse } from '../../search/analyse/analyser.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { quote } from './not-found.ts'

/** What a read asks for: entities by name, or words; neither asks for everything. */
export type WantedProposals = { names?: readonly string[]; query?: string }

const charactersMax = 2_500
const foundMax = 8

/** What the caller itself proposed and asks for, as a sentence; undefined if there is nothing. */
export async function noticeOfProposed(
  ctx: Context,
  actor: Actor,
  asked: WantedProposals,
): Promise<string | undefined> {
  const lines = (await listOwnChanges(ctx.db, actor)).flatMap(toLine)
  const found = select(lines, asked)
  const { taken } = takeFitting(
    found.map(({ text }) => text),
    charactersMax,
  )
  if (taken.length === 0) return undefined
  const others = found.length > taken.length ? `; and ${found.length - taken.length} more` : ''
  return `You proposed, and nobody has accepted yet (only you are told): ${taken.join('; ')}${others}.`
}

type Line = { names: string[]; text: string; words: string }

function toLine({ operation, subject, after }: ProposedChange): Line[] {
  if (after === null) return []
  const { name, type, content, fromEntity, toEntity } = after as Record<string, string> & {
    fromEntity?: { name: string }
    toEntity?: { name: string }
  }
  if (operation.startsWith('observation')) {
    const owner = subject.entityName ?? ''
    return [
      {
        names: [owner],
        words: `${owner} ${content}`,
        text: `[${subject.id}] ${quote(owner)}: ${inLine(content ?? '')}`,
      },
    ]
  }
  if (operation.startsWith('entity'))
    return [
      {
        names: [name ?? ''],
        words: `${name} ${type}`,
        text: `the entity ${quote(name ?? '')} (${inLine(type ?? '')})`,
      },
    ]
  const [from = '', to = ''] = [fromEntity?.name, toEntity?.name]
  return [
    {
      names: [from, to],
      words: `${from} ${type} ${to}`,
      text: `${quote(from)} ${inLine(type ?? '')} ${quote(to)}`,
    },
  ]
}

function select(lines: Line[], { names, query = '' }: WantedProposals): Line[] {
  if (names !== undefined) return lines.filter((line) => line.names.some((name) => names.includes(name)))
  if (query.trim() === '') return lines
  const terms = openingTermsOf(query)
  return lines
    .map((line) => ({ line, score: openingTermsOf(line.words).intersection(terms).size }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, foundMax)
    .map(({ line }) => line)
}

const textMax = 2_000
/** The terms of a text's beginning. */
export const openingTermsOf = (text: string) =>
  new Set(analyse(text.slice(0, textMax)).tokens.map(({ term }) => term))
