// @vitest-environment jsdom
import type { Change } from '@loci/contract/changes'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { personAs } from '../../../test/people.ts'
import { show } from '../../../test/screen.tsx'
import { Refusal, serve } from '../../../test/server-double.ts'
import { CallCard } from './call-card.tsx'
import { writerFilterOf } from './history.rules.ts'

const at = '2026-01-05T09:00:00.000Z'
const actor: Change['actor'] = { kind: 'api_key', id: 'key_1', name: 'Laptop', client: 'Claude Code' }

const fact = (seq: number, before: string | null, after: string | null): Change => ({
  seq,
  setId: 'set_1',
  at,
  actor,
  operation:
    before === null ? 'observation_added' : after === null ? 'observation_deleted' : 'observation_updated',
  subject: {
    kind: 'observation',
    id: `obs_${seq}`,
    entityId: 'ent_1',
    entityName: 'Engine',
    entityType: 'project',
  },
  before: before === null ? null : { content: before },
  after: after === null ? null : { content: after },
})

const callOf = (changes: Change[]) => ({ setId: 'set_1', at, actor, changes })
const lines = () => screen.getAllByRole('listitem').map((line) => line.textContent)

test('says what was added, removed and reworded, and on which entity', async () => {
  serve({})
  const changes = [
    fact(1, null, 'Weaves algebra'),
    fact(2, 'Runs on steam', null),
    fact(3, 'Has 3 mills', 'Has 4 mills'),
  ]
  await show(<CallCard call={callOf(changes)} onFilter={() => {}} />)
  expect(screen.getByText('3 changes')).toBeTruthy()
  expect(lines()).toEqual([
    '+observationWeaves algebra on Engine',
    '−observationRuns on steam on Engine',
    '~observationHas 3 4 mills on Engine',
  ])
  const [, , reworded] = screen.getAllByRole('listitem')
  expect(reworded?.querySelector('del')?.textContent?.trim()).toBe('3')
  expect(reworded?.querySelector('ins')?.textContent?.trim()).toBe('4')
  expect(screen.getAllByRole('link')[0]?.getAttribute('href')).toBe('/entities/ent_1')
})

test('cuts long texts, an edited one away from the edit, until all is asked for', async () => {
  serve({})
  const [long, end] = ['word '.repeat(400), ' end'.repeat(400)]
  const changes = [fact(1, null, `${long}last`), fact(2, `${long}old${end}`, `${long}new${end}`)]
  await show(<CallCard call={callOf(changes)} entityId="ent_1" onFilter={() => {}} />)
  const [added, edited] = screen.getAllByRole('listitem').map((line) => within(line))
  expect(lines()[0]).toMatch(/^\+observationword word .*… Show all$/)
  expect(lines()[1]).toMatch(/^~observation….*word old new end end .*… Show all$/)
  for (const line of lines()) expect(line!.length).toBeLessThan(1_300)
  for (const line of [added!, edited!]) await userEvent.click(line.getByRole('button', { name: 'Show all' }))
  expect(lines()).toEqual([`+observation${long}last`, `~observation${long}old new${end}`])
})

test("does not repeat the entity's name in its own history", async () => {
  serve({})
  await show(
    <CallCard call={callOf([fact(1, null, 'Weaves algebra')])} entityId="ent_1" onFilter={() => {}} />,
  )
  expect(lines()).toEqual(['+observationWeaves algebra'])
})

test('names what an edit changed, for entities and relations', async () => {
  serve({})
  const entity: Change = {
    ...fact(1, null, null),
    operation: 'entity_updated',
    subject: { kind: 'entity', id: 'ent_1', name: 'Engine' },
    before: { name: 'Mill', type: 'idea', metadata: {} },
    after: { name: 'Engine', type: 'project', metadata: { source: 'x' } },
  }
  const relation: Change = {
    ...fact(2, null, null),
    operation: 'relation_created',
    subject: { kind: 'relation', id: 'rel_1' },
    before: null,
    after: {
      type: 'designed',
      fromEntityId: 'ent_2',
      toEntityId: 'ent_1',
      fromEntity: { name: 'Charles' },
      toEntity: { name: 'Engine' },
    },
  }
  await show(<CallCard call={callOf([entity, relation])} onFilter={() => {}} />)
  expect(lines()).toEqual([
    '~entityEngine was named Mill, type idea → project, metadata',
    '+relationCharles designed Engine',
  ])
})

test('shows nothing of what was erased', async () => {
  serve({})
  await show(<CallCard call={callOf([{ ...fact(1, null, null), erased: true }])} onFilter={() => {}} />)
  expect(lines()).toEqual(['+observationErased'])
})

test('shows the first changes of a long call, and the rest on request', async () => {
  serve({})
  const changes = Array.from({ length: 9 }, (_, index) => fact(index + 1, null, `Fact ${index + 1}`))
  const { user } = await show(<CallCard call={callOf(changes)} entityId="ent_1" onFilter={() => {}} />)
  expect(lines()).toHaveLength(6)
  await user.click(screen.getByRole('button', { name: 'Show 3 more' }))
  expect(lines()).toHaveLength(9)
})

test('says where a call changed more than is shown, all of which its undo takes back', async () => {
  const server = serve({ undoChangeSet: { undone: 277, setId: 'set_2' } })
  const changes = [fact(1, null, 'Weaves algebra')]
  const { user } = await show(<CallCard call={callOf(changes)} mayBePart onFilter={() => {}} />)
  expect(screen.getByText('1 change shown')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Undo the whole call' }))
  expect(server.callsOf('undoChangeSet')).toHaveLength(1)
})

test('undoes a call as a whole; if that fails, the reason is shown', async () => {
  const server = serve({ undoChangeSet: new Refusal('undo_conflict', 'Engine was deleted since') })
  const { user } = await show(
    <CallCard call={callOf([fact(1, null, 'Weaves algebra')])} onFilter={() => {}} />,
  )
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  const alert = within(await screen.findByRole('alert'))
  expect(alert.getByText('Engine was deleted since')).toBeTruthy()
  server.answer({ undoChangeSet: { undone: 1, setId: 'set_2' } })
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Undone')).toBeTruthy()
  expect(server.callsOf('undoChangeSet').map(({ params }) => params)).toEqual([
    { setId: 'set_1' },
    { setId: 'set_1' },
  ])
})

test('offers readers no undo, and the writer filters', async () => {
  serve({})
  const onFilter = vi.fn()
  const { user } = await show(
    <CallCard call={callOf([fact(1, null, 'Weaves algebra')])} onFilter={onFilter} />,
    {
      as: personAs('viewer'),
    },
  )
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  const [writer, tool] = screen.getAllByTitle('Show only these')
  await user.click(writer!)
  expect(onFilter).toHaveBeenLastCalledWith(writerFilterOf(actor))
  expect(tool).toBeUndefined()
})

test('the name of a tool filters by it', async () => {
  serve({})
  const onFilter = vi.fn()
  const call = { ...callOf([fact(1, null, 'Weaves algebra')]), tool: 'remember' }
  const { user } = await show(<CallCard call={call} onFilter={onFilter} />)
  await user.click(screen.getByText('remember'))
  expect(onFilter).toHaveBeenLastCalledWith({ tool: 'remember' })
})
