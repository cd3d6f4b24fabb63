import { spaceHeader } from '@loci/contract/spaces'
import { expect, test } from 'vitest'
import { arrayOf } from '../../../test/array-of.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { type Said, talk } from '../../../test/talk.ts'
import { toNumber } from '../../ground/lib/ids.ts'
import { renewIndexes } from '../../search/store/rebuild-index.ts'
import { checkAll, repairAll } from '../checks/checks.service.ts'
import { finishRemovals } from '../removals/removals.ts'

const search = ({ rest }: Person, query: string, more: Record<string, string> = {}) =>
  rest.searchTurns({ query: { query, ...more } })

const billing: Said[] = [
  { role: 'person', text: 'Why does the checkout fail for customers in Norway?' },
  { role: 'agent', text: 'I will look at the tax rounding first.' },
  {
    role: 'tool',
    text: 'TypeError: cannot read property rate of undefined',
    tool: { name: 'Bash', input: 'npm run build', ok: false, exitCode: 2 },
    files: ['src/tax/rates.ts'],
  },
  { role: 'agent', text: 'The fix was to load the Norwegian rates before the first invoice.' },
  { role: 'person', text: 'Great, and we dropped Redis because it lost sessions on restart.' },
]
const garden: Said[] = [
  { role: 'person', text: 'Plan the planting of tomatoes and beans for spring.' },
  { role: 'agent', text: 'Sow tomatoes in March, beans in May.' },
]

describeOnBothDatabases('search of turns', (server) => {
  test('finds what was said, with the turns around it and its conversation', async () => {
    const alice = await server().signUp()
    const id = await talk(alice, 'shop', billing, { title: 'Norway' })
    await talk(alice, 'garden', garden)
    const { turns, total } = await search(alice, 'why did we drop Redis?')
    expect(total).toBeGreaterThan(0)
    expect(turns[0]).toMatchObject({
      text: billing[4]!.text,
      role: 'person',
      seq: 5,
      conversation: { id, title: 'Norway', agent: 'claude-code', project: { name: 'shop' } },
      before: [{ text: billing[3]!.text }],
      after: [],
    })
    const [[start, end] = [0, 0]] = turns[0]!.highlights
    expect(turns[0]!.text.slice(start, end)).toBe('dropped')
  })

  test('finds what a person asked rather than the answer, of a question about that', async () => {
    const alice = await server().signUp()
    await talk(alice, 'shop', billing)
    await talk(alice, 'garden', [
      { role: 'agent', text: 'Ask about Norway again if the checkout fails for customers there.' },
      ...garden,
    ])
    const { turns } = await search(alice, 'What did I ask about the checkout in Norway?')
    expect(turns[0]).toMatchObject({ text: billing[0]!.text })
    expect(turns.map(({ role }) => role)).not.toContain('agent')
    const answered = await search(alice, 'what did I ask about rounding?')
    expect(answered.turns[0]).toMatchObject({ text: billing[1]!.text })
  })

  test('finds tools by their input, that they failed, and their exit code', async () => {
    const alice = await server().signUp()
    await talk(alice, 'shop', billing)
    await talk(alice, 'garden', garden)
    for (const query of [
      'what did we try when the build failed?',
      'exit code 2',
      'rates.ts',
      'TypeError rate',
    ])
      expect((await search(alice, query)).turns[0], query).toMatchObject({ tool: { input: 'npm run build' } })
  })

  test('is limited by project, agent, file and time', async () => {
    const alice = await server().signUp()
    await talk(alice, 'shop', billing)
    await talk(
      alice,
      'garden',
      [{ role: 'person', text: 'The build of the greenhouse failed in the storm.' }],
      {
        agent: 'codex',
      },
    )
    const titles = async (more: Record<string, string>) =>
      new Set(
        (await search(alice, 'build failed tomatoes', more)).turns.map(
          ({ conversation }) => conversation.project?.name,
        ),
      )
    expect(await titles({})).toEqual(new Set(['shop', 'garden']))
    expect(await titles({ project: 'garden' })).toEqual(new Set(['garden']))
    expect(await titles({ project: '/home/ada/shop' })).toEqual(new Set(['shop']))
    expect(await titles({ project: '/home/bob/shop' })).toEqual(new Set())
    expect(await titles({ agent: 'codex' })).toEqual(new Set(['garden']))
    expect(await titles({ file: 'tax/rates.ts' })).toEqual(new Set(['shop']))
    expect(await titles({ file: 'other/rates.ts' })).toEqual(new Set())
    expect(await titles({ after: '2026-05-04T09:02:00Z' })).toEqual(new Set(['shop']))
    expect(await titles({ before: '2026-05-04T09:00:00Z' })).toEqual(new Set())
    expect(await titles({ after: '2026', before: '2026-06' })).toEqual(new Set(['shop', 'garden']))
    expect(await titles({ before: '2026-05' })).toEqual(new Set())
  })

  test('is kept apart from the graph', async () => {
    const alice = await server().signUp()
    await alice.rest.createEntity({
      body: { name: 'Zeppelin', type: 'ship', observations: ['Zeppelins fly'] },
    })
    await talk(alice, 'shop', [{ role: 'person', text: 'Tell me about the hovercraft.' }])
    expect((await search(alice, 'zeppelin')).turns).toEqual([])
    const { observations, understood } = await alice.rest.searchObservations({
      query: { query: 'hovercraft' },
    })
    expect(observations).toEqual([])
    expect(understood.unknown).toEqual(['hovercraft'])
    expect((await search(alice, 'hovercraft')).turns).toHaveLength(1)
  })

  test('finds long turns by any of their parts, and misspelt words', async () => {
    const alice = await server().signUp()
    const filler = 'The agent explains at length how the module is built and tested. '.repeat(60)
    await talk(alice, 'shop', [
      { role: 'agent', text: `${filler} The kraken lives in warehouse seven. ${filler}` },
    ])
    expect((await search(alice, 'where is the kraken?')).turns).toHaveLength(1)
    expect((await search(alice, 'warehuose')).turns).toHaveLength(1)
  })

  test('a turn that is sent again is found once, and a deleted conversation not at all', async () => {
    const alice = await server().signUp()
    const id = await talk(alice, 'shop', billing, { title: 'once' })
    await talk(alice, 'shop', billing, { title: 'once' })
    const { turns } = await search(alice, 'Redis sessions')
    expect(turns[0]).toMatchObject({ text: billing[4]!.text })
    expect(new Set(turns.map((turn) => turn.id)).size).toBe(turns.length)
    await alice.rest.deleteConversation({ params: { id } })
    expect(await search(alice, 'Redis sessions')).toEqual({ turns: [], total: 0 })
  })

  test('empty and strange questions find nothing', async () => {
    const alice = await server().signUp()
    await talk(alice, 'shop', billing)
    for (const query of ['', '   ', '???', 'the of and', '"'.repeat(50)])
      expect((await search(alice, query)).turns, query).toEqual([])
  })

  test('is complete and counted right after writes, deletions, rebuilding and repair', async () => {
    const alice = await server().signUp()
    const { ctx } = server()
    await talk(alice, 'shop', billing)
    await talk(alice, 'shop', [
      { role: 'agent', text: `${'A long explanation of taxes. '.repeat(80)} Kraken.` },
    ])
    await alice.rest.deleteConversation({ params: { id: await talk(alice, 'garden', garden) } })
    const differences = async () => (await arrayOf(checkAll(ctx))).map(({ message }) => message)
    expect(await differences()).toEqual([])
    await ctx.db.updateTable('turn_indexes').set({ length: 1, index_version: 0 }).execute()
    expect(await differences()).toContainEqual(expect.stringContaining('index of turns counts 1 as length'))
    await renewIndexes(ctx, ctx.log)
    expect(await differences()).toEqual([])
    await ctx.db.updateTable('turns').set({ text: 'Quokka' }).where('text', 'like', 'Great%').execute()
    expect(await differences()).not.toEqual([])
    await repairAll(ctx)
    expect(await differences()).toEqual([])
    expect((await search(alice, 'quokka')).turns[0]).toMatchObject({ text: 'Quokka' })
    expect((await search(alice, 'kraken')).turns).toHaveLength(1)
  })

  test('goes with its space', async () => {
    const alice = await server().signUp()
    const { ctx } = server()
    const { space } = await alice.rest.createSpace({ body: { name: 'short' } })
    await alice.rest.storeTurns({
      headers: { [spaceHeader]: 'short' },
      body: {
        conversation: { agent: 'a', externalId: 'b' },
        turns: [{ externalId: '1', at: '2026-01-01', role: 'person', text: 'An axolotl swims' }],
      },
    })
    await alice.rest.deleteSpace({ params: { id: space.id } })
    await finishRemovals(ctx)
    const spaceId = -toNumber('spc', space.id)!
    for (const table of ['search_words', 'index_marks', 'passages'] as const) {
      const rows = await ctx.db.selectFrom(table).select('id').where('space_id', '=', spaceId).execute()
      expect(rows, table).toEqual([])
    }
  })
})
