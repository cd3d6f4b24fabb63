import type { ShownAnswer } from './invented/answers.ts'

/** The example of the reference memory server's README, stored beside other entities. */
export const readmeExample = {
  entities: [
    {
      name: 'John_Smith',
      entityType: 'person',
      observations: ['Speaks fluent Spanish', 'Graduated in 2019', 'Prefers morning meetings'],
    },
    { name: 'Anthropic', entityType: 'organization', observations: [] },
    {
      name: 'default_user',
      entityType: 'person',
      observations: ['Likes short answers', 'Works on a Mac'],
    },
    { name: 'Bob', entityType: 'person', observations: ['Bob eats steak every Friday', 'Works at night'] },
    {
      name: 'Zanzibar Project',
      entityType: 'project',
      observations: ['Starts in March 2027', 'Budget is 40k euros'],
    },
  ],
  relations: [{ from: 'John_Smith', to: 'Anthropic', relationType: 'works_at' }],
}

type Check = (answer: ShownAnswer) => boolean

type ReadmeQuestion = { text: string; wanted: string; isRight: Check }

/** The first fact is of this entity; with `content`, it is exactly that fact. */
function wantsFact(text: string, name: string, content?: string): ReadmeQuestion {
  const isRight: Check = ({ facts: [first] }) =>
    first?.entity === name && (content === undefined || first.content === content)
  return { text, wanted: `${name}: ${content ?? 'any fact'}`, isRight }
}

/** All facts of this entity come before those of others. */
function wantsAllOf(text: string, name: string): ReadmeQuestion {
  const wanted = readmeExample.entities.find((entity) => entity.name === name)?.observations ?? []
  const isRight: Check = ({ facts }) => {
    const first = facts.slice(0, wanted.length)
    return first.length === wanted.length && first.every(({ entity }) => entity === name)
  }
  return { text, wanted: `all facts of ${name} first`, isRight }
}

function wantsJob(text: string): ReadmeQuestion {
  const isRight: Check = ({ relations: [first] }) =>
    first?.from === 'John_Smith' && first.type === 'works_at' && first.to === 'Anthropic'
  return { text, wanted: 'John_Smith works_at Anthropic', isRight }
}

function wantsOnly(text: string, name: string): ReadmeQuestion {
  const isRight: Check = ({ facts, entities }) => {
    const names = [...facts.map(({ entity }) => entity), ...entities]
    return names.length > 0 && names.every((shown) => shown === name)
  }
  return { text, wanted: `nothing but ${name}`, isRight }
}

/** Twelve ways to ask about it. */
export const readmeQuestions: readonly ReadmeQuestion[] = [
  wantsAllOf('John_Smith', 'John_Smith'),
  wantsAllOf('John Smith', 'John_Smith'),
  wantsAllOf('Who is Jhon Smith?', 'John_Smith'),
  wantsAllOf('What do you know about John Smith?', 'John_Smith'),
  wantsAllOf('Tell me about John', 'John_Smith'),
  wantsAllOf('What do I know about default_user?', 'default_user'),
  wantsAllOf('What do we know about the Zanzibar Project?', 'Zanzibar Project'),
  wantsFact('Which languages does John Smith speak?', 'John_Smith', 'Speaks fluent Spanish'),
  wantsFact('What does John Smith eat?', 'John_Smith'),
  wantsJob('Where does John Smith work?'),
  wantsJob('Who works at Anthropic?'),
  wantsOnly('What projects are there?', 'Zanzibar Project'),
]

/** The example in the reference server's format, which we import. */
export function toReadmeLines(): string {
  const lines = [
    ...readmeExample.entities.map((entity) => ({ type: 'entity', ...entity })),
    ...readmeExample.relations.map((relation) => ({ type: 'relation', ...relation })),
  ]
  return lines.map((line) => JSON.stringify(line)).join('\n')
}
