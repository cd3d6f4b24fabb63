import { z } from 'zod'
import { addNamedObservations } from '../../../features/memories/memories.service.ts'
import { counted } from '../../../ground/lib/counted.ts'
import { adds, defineTool } from '../tool.ts'
import { AdditionIn, bounded, joinSentences, noteOfRivals, RivalsOut } from './shapes.ts'
import { isLarge, takeShort } from './short-answers.ts'

export const addObservationsTool = defineTool({
  name: 'add_observations',
  title: 'Add Observations',
  description:
    'Save to memory, remember for later: store a new fact, preference, note or what was decided about a person, project or ' +
    'user that memory knows. One short fact each, understandable on its own (names and dates, not "he" and "yesterday"). ' +
    'Texts that the entity already has are skipped. A text can be {content, at, until, expiresAt, replaces: [ids]} instead: ' +
    'when it was true ("2026-02"), and which facts it replaces.',
  input: z.object({ observations: bounded(AdditionIn) }),
  output: z.object({
    notice: z.string().optional().describe('Counts, if the answer to a large call is shortened'),
    results: z.array(z.object({ entityName: z.string(), addedObservations: z.array(z.string()) })),
    rivals: RivalsOut,
  }),
  annotations: adds,
  meta: { 'anthropic/alwaysLoad': true },
  right: 'memory:write',
  operation: 'create',
  resource: 'observation',
  async run(ctx, actor, { observations }) {
    const { results, rivals, ids } = await addNamedObservations(ctx, actor, observations)
    const told = rivals.length === 0 ? {} : { rivals }
    const notice = noteOfRivals(rivals, ids)
    if (!isLargeAddition(results)) return { structured: { results, ...told }, json: results, notice }
    const shown = takeShort(results.map((result) => ({ ...result, addedObservations: [] })))
    const asked = observations.reduce((sum, { contents }) => sum + contents.length, 0)
    return {
      structured: { results: shown, ...told },
      json: shown,
      notice: joinSentences([noteOfAdded(results, asked, shown.length), notice]),
    }
  },
})

type Results = Awaited<ReturnType<typeof addNamedObservations>>['results']

const isLargeAddition = (results: Results) =>
  isLarge(results) || isLarge(results.flatMap(({ addedObservations }) => addedObservations))

function noteOfAdded(results: Results, asked: number, shown: number): string {
  const added = results.reduce((sum, { addedObservations }) => sum + addedObservations.length, 0)
  const entities = new Set(results.map(({ entityName }) => entityName)).size
  const present = asked === added ? '' : `; ${asked - added} were there already`
  const others = shown === results.length ? '' : ` and ${results.length - shown} of the results`
  return (
    `Added ${counted(added, 'observation')} to ${counted(entities, 'entity', 'entities')}${present}. ` +
    `This answer leaves out the texts${others}.`
  )
}
