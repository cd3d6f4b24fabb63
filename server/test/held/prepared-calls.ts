import type { OperationId } from '@loci/contract/api'
import { addPerson } from '../accounts.ts'
import type { Person, TestServer } from '../harness.ts'
import { uglyText } from './worst-bodies.ts'
import type { WorstCall } from './worst-calls.ts'

type PreparedCall = (server: TestServer, person: Person) => Promise<WorstCall>

/** Calls that end the caller's session or rights, or work once: each is made by a person of its own. */
export const preparedCalls: Partial<Record<OperationId, PreparedCall>> = {
  logout: async () => ({}),
  deleteSessions: async () => ({}),
  changePassword: async (_server, { password }) => ({
    body: { currentPassword: password, newPassword: `${password} again`, rollApiKey: true },
  }),
  async transferOwnership(server, person) {
    const { userId } = await addPerson(server, person, 'admin')
    return { params: [userId], body: { password: person.password } }
  },
  async undoChangeSet(_server, person) {
    await person.rest.createEntity({ body: { name: 'Hub', type: 'hub' } })
    return { params: [await addTargets(person, 0)] }
  },
}

const allTargets = { entities: 300, relations: 1_000 }
/** Tools whose arguments name fewer; those of the others name all. */
const targetsOf: Record<string, typeof allTargets> = {
  add_observations: { entities: 300, relations: 0 },
  create_relations: { entities: 300, relations: 0 },
  update_entity: { entities: 2, relations: 0 },
  update_observation: { entities: 2, relations: 0 },
  update_relation: { entities: 1, relations: 1 },
}

/**
 * Adds the entities and relations that the arguments of this run's tools, or of `tool` alone, name; returns the id of
 * their change set.
 */
export async function addTargets({ rest }: Person, run: number, tool = ''): Promise<string> {
  const { entities, relations } = targetsOf[tool] ?? allTargets
  await rest.createBatch({
    body: {
      entities: Array.from({ length: entities }, (_, i) => ({
        ...{ name: `M${run} ${i}`, type: 't' },
        observations: [uglyText(1_000, i)],
      })),
      relations: Array.from({ length: relations }, (_, i) => ({
        ...{ from: `M${run} ${i % 300}`, to: 'Hub', type: `r${i}` },
      })),
    },
  })
  const { changes } = await rest.listChanges({ query: { limit: '1' } })
  return changes[0]!.setId
}
