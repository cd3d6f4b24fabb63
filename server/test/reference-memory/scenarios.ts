import type { differences } from './differences.ts'

export type Answer =
  | { texts: string[]; structured?: unknown; isError?: true }
  | { code: number; message: string }

/** One call. Without `ours` the two servers must return the same. */
export type Step = {
  tool: string
  args: Record<string, unknown> | undefined
  ours?: { because: keyof typeof differences; answer: Answer }
}

export type Scenario = { title: string; steps: Step[] }

type Entity = { name: string; entityType: string; observations: string[] }
type Relation = { from: string; to: string; relationType: string }

const person = (name: string, ...observations: string[]): Entity => ({
  name,
  entityType: 'person',
  observations,
})
const knows = (from: string, to: string): Relation => ({ from, to, relationType: 'knows' })

const pretty = (value: unknown) => JSON.stringify(value, null, 2)
const refusal = (text: string): Answer => ({ texts: [text], isError: true })
const done = (message: string, success = true): Answer => ({
  texts: [message],
  structured: { success, message },
})
const graph = (entities: Entity[], relations: Relation[] = [], notice?: string): Answer => ({
  texts: [pretty({ entities, relations }), ...(notice === undefined ? [] : [notice])],
  structured: { ...(notice === undefined ? {} : { notice }), entities, relations },
})
/** A partial result starts with the notice; long results are not indented. */
const part = (entities: Entity[], notice: string): Answer => ({
  ...graph(entities, [], notice),
  texts: [notice, pretty({ entities, relations: [] })],
})
const longGraph = (entities: Entity[], notice?: string): Answer => ({
  ...graph(entities, [], notice),
  texts: [...(notice === undefined ? [] : [notice]), JSON.stringify({ entities, relations: [] })],
})
const badArguments = (tool: string, problem: string): Answer =>
  refusal(`Input validation error: Invalid arguments for tool ${tool}: ${problem}`)
const skipNote = (name: string) =>
  `Skipped 1 entity that already exists: ${name}. Its observations were not added; use add_observations for existing entities.`

const createIt = 'Create it with create_entities, or use the exact name.'
const similarNote =
  'Created, but similar to what exists: "ada" may be "Ada" (person). If it is the same, merge the new ' +
  'one into the existing one with merge_entities.'

const city = (name: string): Entity => ({ name, entityType: 'city', observations: [] })
const shortened = (notice: string, entities: Entity[]): Answer => ({
  texts: [pretty(entities), notice],
  structured: { notice, entities },
})

const same = (tool: string, args?: Record<string, unknown>): Step => ({ tool, args })
const differs = (
  tool: string,
  args: Record<string, unknown>,
  because: keyof typeof differences,
  answer: Answer,
): Step => ({ tool, args, ours: { because, answer } })

const store = (...entities: Entity[]) => same('create_entities', { entities })
const relate = (...relations: Relation[]) => same('create_relations', { relations })
const readAll = same('read_graph', {})

export const scenarios: Scenario[] = [
  {
    title: 'an empty memory',
    steps: [
      same('read_graph'),
      readAll,
      same('search_nodes', { query: 'anything' }),
      differs('open_nodes', { names: ['Nobody'] }, 'unknownNames', graph([], [], 'Not found: Nobody.')),
      same('open_nodes', { names: [] }),
    ],
  },
  {
    title: 'storing and reading back in order',
    steps: [
      store(person('Zoe', 'Plays chess', 'Lives in Oslo'), person('Ada')),
      relate(knows('Zoe', 'Ada')),
      store({ name: 'Ångström & Co. "AB"', entityType: 'company', observations: ['日本語 🎉', 'a\nb\tc'] }),
      relate(
        knows('Ada', 'Ångström & Co. "AB"'),
        { from: 'Zoe', to: 'Ada', relationType: 'KNOWS' },
        knows('Ada', 'Zoe'),
        knows('Ada', 'Ada'),
      ),
      readAll,
      same('open_nodes', { names: ['Ada', 'Zoe'] }),
      differs(
        'open_nodes',
        { names: ['ada'] },
        'unknownNames',
        graph([], [], 'Not found: ada. Did you mean "Ada" (person)?'),
      ),
      same('open_nodes', { names: ['Ångström & Co. "AB"'] }),
    ],
  },
  {
    title: 'empty lists',
    steps: [
      store(),
      relate(),
      same('add_observations', { observations: [] }),
      same('delete_entities', { entityNames: [] }),
      same('delete_observations', { deletions: [] }),
      same('delete_relations', { relations: [] }),
      readAll,
    ],
  },
  {
    title: 'unknown keys are dropped',
    steps: [
      same('create_entities', { entities: [{ ...person('Ada'), metadata: { born: 1815 } }], author: 'me' }),
      readAll,
    ],
  },
  {
    title: 'the same text twice in a new entity is kept',
    steps: [store(person('Ada', 'same', 'same')), readAll],
  },
  {
    title: 'an entity that exists is skipped and left as it is',
    steps: [
      store(person('Ada', 'first')),
      differs(
        'create_entities',
        { entities: [{ name: 'Ada', entityType: 'machine', observations: ['second'] }, person('Bob')] },
        'skipped',
        {
          texts: [pretty([person('Bob')]), skipNote('Ada')],
          structured: { notice: skipNote('Ada'), entities: [person('Bob')], skipped: ['Ada'] },
        },
      ),
      readAll,
    ],
  },
  {
    title: 'an entity whose name is nearly that of another is created',
    steps: [
      store(person('Ada')),
      differs('create_entities', { entities: [person('ada')] }, 'similar', {
        texts: [pretty([person('ada')]), similarNote],
        structured: {
          notice: similarNote,
          entities: [person('ada')],
          similar: [{ name: 'ada', existing: [{ name: 'Ada', entityType: 'person' }] }],
        },
      }),
      readAll,
    ],
  },
  {
    title: 'the same entity twice in a call',
    steps: [
      differs('create_entities', { entities: [person('Ada', 'a'), person('Ada', 'b')] }, 'duplicates', {
        texts: [pretty([person('Ada', 'a')]), skipNote('Ada')],
        structured: { notice: skipNote('Ada'), entities: [person('Ada', 'a')], skipped: ['Ada'] },
      }),
    ],
  },
  {
    title: 'a relation that exists is skipped',
    steps: [
      store(person('Ada'), person('Bob')),
      relate(knows('Ada', 'Bob')),
      relate(knows('Ada', 'Bob'), knows('Bob', 'Ada')),
      relate(knows('Ada', 'Bob')),
      readAll,
    ],
  },
  {
    title: 'the same relation twice in a call',
    steps: [
      store(person('Ada'), person('Bob')),
      differs('create_relations', { relations: [knows('Ada', 'Bob'), knows('Ada', 'Bob')] }, 'duplicates', {
        texts: [pretty([knows('Ada', 'Bob')])],
        structured: { relations: [knows('Ada', 'Bob')] },
      }),
    ],
  },
  {
    title: 'a relation to an entity that does not exist',
    steps: [
      store(person('Ada'), person('Bob')),
      differs(
        'create_relations',
        { relations: [knows('Ada', 'Bob'), knows('Ada', 'Nobody')] },
        'missingEnds',
        refusal(`Entity with name Nobody not found. ${createIt}`),
      ),
      differs(
        'create_relations',
        { relations: [knows('Ad', 'Nobody'), knows('Ada', 'bob')] },
        'missingEnds',
        refusal(
          `Entity with name Ad not found. Also not found: Nobody, bob. Did you mean "Bob" (person) for "bob"? ${createIt}`,
        ),
      ),
      differs('read_graph', {}, 'missingEnds', graph([person('Ada'), person('Bob')])),
    ],
  },
  {
    title: 'adding observations',
    steps: [
      store(person('Ada', 'born in 1815'), person('Bob')),
      same('add_observations', {
        observations: [
          { entityName: 'Ada', contents: ['born in 1815', 'plays the harp'] },
          { entityName: 'Bob', contents: ['sings'] },
          { entityName: 'Ada', contents: ['plays the harp', 'speaks German'] },
        ],
      }),
      same('add_observations', { observations: [{ entityName: 'Ada', contents: [] }] }),
      readAll,
    ],
  },
  {
    title: 'adding to an entity that does not exist stores nothing of the call',
    steps: [
      store(person('Ada')),
      differs(
        'add_observations',
        {
          observations: [
            { entityName: 'Ada', contents: ['lost'] },
            { entityName: 'Nobody', contents: ['x'] },
          ],
        },
        'nextStep',
        refusal(`Entity with name Nobody not found. ${createIt}`),
      ),
      differs(
        'add_observations',
        { observations: [{ entityName: 'ADA', contents: ['lost'] }] },
        'nextStep',
        refusal(`Entity with name ADA not found. Did you mean "Ada" (person)? ${createIt}`),
      ),
      readAll,
    ],
  },
  {
    title: 'the same observation twice in a call',
    steps: [
      store(person('Ada')),
      differs(
        'add_observations',
        { observations: [{ entityName: 'Ada', contents: ['a', 'a'] }] },
        'duplicates',
        {
          texts: [pretty([{ entityName: 'Ada', addedObservations: ['a'] }])],
          structured: { results: [{ entityName: 'Ada', addedObservations: ['a'] }] },
        },
      ),
    ],
  },
  {
    title: 'deleting what is there',
    steps: [
      store(person('Ada', 'one', 'two', 'two'), person('Bob'), person('Cy')),
      relate(knows('Ada', 'Bob'), knows('Bob', 'Cy'), knows('Cy', 'Ada')),
      same('delete_observations', { deletions: [{ entityName: 'Ada', observations: ['two'] }] }),
      same('delete_relations', { relations: [knows('Cy', 'Ada')] }),
      readAll,
      same('delete_entities', { entityNames: ['Bob'] }),
      readAll,
      same('delete_entities', { entityNames: ['Cy', 'Cy'] }),
      readAll,
    ],
  },
  {
    title: 'deleting what is not there',
    steps: [
      store(person('Ada', 'one'), person('Bob')),
      differs(
        'delete_entities',
        { entityNames: ['Bob', 'Zed', 'Yan'] },
        'honestDeletes',
        done('Deleted 1 of 3 entities. Not found: Zed, Yan'),
      ),
      differs(
        'delete_observations',
        { deletions: [{ entityName: 'Ada', observations: ['one', 'two'] }] },
        'honestDeletes',
        done('Deleted 1 of 2 observations. "Ada" has no observation "two"; it has none at all.'),
      ),
      differs(
        'delete_observations',
        { deletions: [{ entityName: 'Zed', observations: ['one'] }] },
        'honestDeletes',
        done('Deleted 0 of 1 observations. Entities not found: Zed', false),
      ),
      differs(
        'delete_relations',
        { relations: [knows('Ada', 'Zed')] },
        'honestDeletes',
        done(
          'Deleted 0 of 1 relations. The rest matched nothing. Not found: Ada -> knows -> Zed. No entity is named "Zed".',
          false,
        ),
      ),
      readAll,
    ],
  },
  {
    title: 'searching for one word',
    steps: [
      store(person('Ada', 'Likes trains'), { name: 'Oslo', entityType: 'city', observations: [] }),
      store(person('Bob')),
      relate(knows('Ada', 'Bob'), { from: 'Bob', to: 'Oslo', relationType: 'lives_in' }),
      same('search_nodes', { query: 'TRAINS' }),
      same('search_nodes', { query: 'oslo' }),
      same('search_nodes', { query: 'city' }),
      same('search_nodes', { query: 'zebra' }),
      same('search_nodes', { query: '' }),
    ],
  },
  {
    title: 'searching for several words',
    steps: [
      store(person('Ada', 'Likes slow trains')),
      same('search_nodes', { query: 'slow trains' }),
      differs('search_nodes', { query: 'train slow' }, 'words', graph([person('Ada', 'Likes slow trains')])),
      same('search_nodes', { query: 'rain' }),
    ],
  },
  {
    title: 'more matches than asked for',
    steps: [
      store(city('Oslo'), city('Oslo harbour')),
      same('search_nodes', { query: 'harbour' }),
      differs(
        'search_nodes',
        { query: 'Oslo', limit: 1 },
        'tenBest',
        part(
          [city('Oslo')],
          'This is the best match; there are more. Ask more precisely, or raise limit (at most 50).',
        ),
      ),
    ],
  },
  {
    title: 'long texts',
    steps: [
      store(person('Ada', 'a'.repeat(1_000))),
      readAll,
      differs(
        'create_entities',
        { entities: [person('Bob', 'b'.repeat(30_000))] },
        'longWrites',
        shortened('Created 1 entity with 1 observation. This answer leaves out the observations.', [
          person('Bob'),
        ]),
      ),
      differs(
        'open_nodes',
        { names: ['Bob'] },
        'longAnswers',
        longGraph([person('Bob', 'b'.repeat(30_000))]),
      ),
      differs(
        'create_entities',
        { entities: [person('Cy', 'c'.repeat(30_000))] },
        'longWrites',
        shortened('Created 1 entity with 1 observation. This answer leaves out the observations.', [
          person('Cy'),
        ]),
      ),
      differs(
        'read_graph',
        {},
        'longAnswers',
        longGraph(
          [person('Ada', 'a'.repeat(1_000)), person('Bob', 'b'.repeat(30_000))],
          'This is part of the graph: 2 of 3 entities (3 observations, 0 relations in all). ' +
            'Continue with read_graph {"after":"Bob"}, or ask for what you need with recall, search_nodes or open_nodes.',
        ),
      ),
    ],
  },
  {
    title: 'bad arguments',
    steps: [
      differs(
        'create_entities',
        { entities: [{ name: 'X', entityType: 'y' }] },
        'badArguments',
        badArguments(
          'create_entities',
          'entities[0].observations: Invalid input: expected array, received undefined',
        ),
      ),
      differs('create_entities', { entities: '[]' }, 'lenient', {
        texts: ['[]'],
        structured: { entities: [] },
      }),
      differs('open_nodes', { names: 'Nobody' }, 'lenient', graph([], [], 'Not found: Nobody.')),
      differs(
        'create_entities',
        { entities: '[' },
        'badArguments',
        badArguments('create_entities', 'entities: Invalid input: expected array, received string'),
      ),
      differs(
        'search_nodes',
        { query: 5 },
        'badArguments',
        badArguments('search_nodes', 'query: Invalid input: expected string, received number'),
      ),
      differs(
        'open_nodes',
        {},
        'badArguments',
        badArguments('open_nodes', 'names: Invalid input: expected array, received undefined'),
      ),
    ],
  },
  {
    title: 'what is empty or too long',
    steps: [
      differs(
        'create_entities',
        { entities: [person('Ada'), person('')] },
        'limits',
        badArguments('create_entities', 'entities[1].name: Name is required'),
      ),
      differs(
        'create_entities',
        { entities: [person('n'.repeat(513))] },
        'limits',
        badArguments('create_entities', 'entities[0].name: Name must be at most 512 characters long'),
      ),
      differs(
        'create_entities',
        { entities: [person('Ada', '')] },
        'limits',
        badArguments('create_entities', 'entities[0].observations[0]: Observation is required'),
      ),
      differs('read_graph', {}, 'limits', graph([])),
    ],
  },
  {
    title: 'a tool that does not exist',
    steps: [
      differs('forget_everything', {}, 'unknownTool', {
        code: -32602,
        message: 'Tool forget_everything not found',
      }),
    ],
  },
]
