import { pick, type Random, shuffle } from '../random.ts'
import type { InventedType } from './facts.ts'
import type { InventedEntity, InventedRelation } from './memory.ts'

/** A relation between two types and the questions about its ends; `_` is the known end. */
export type RelationKind = {
  type: string
  from: InventedType
  to: InventedType
  /** How many of `from` have it. */
  count: number
  /** Asks for `to`. */
  forward: string[]
  /** Asks for `from`. */
  backward: string[]
}

export const relationKinds: readonly RelationKind[] = [
  {
    type: 'works_at',
    from: 'person',
    to: 'company',
    count: 55,
    forward: ['Where does _ work?', 'Which company does _ work at?'],
    backward: ['Who works at _?'],
  },
  {
    type: 'leads',
    from: 'person',
    to: 'project',
    count: 25,
    forward: ['Which project does _ lead?', 'What does _ lead?'],
    backward: ['Who leads _?', 'Who is leading _?'],
  },
  {
    type: 'owns',
    from: 'person',
    to: 'service',
    count: 25,
    forward: ['Which service does _ own?', 'What does _ own?'],
    backward: ['Who owns _?', 'Who is the owner of _?'],
  },
  {
    type: 'lives_in',
    from: 'person',
    to: 'place',
    count: 50,
    forward: ['Where does _ live?'],
    backward: ['Who lives in _?', 'Which people live in _?'],
  },
  {
    type: 'reports_to',
    from: 'person',
    to: 'person',
    count: 30,
    forward: ['Who does _ report to?'],
    backward: ['Who reports to _?'],
  },
  {
    type: 'depends_on',
    from: 'service',
    to: 'service',
    count: 25,
    forward: ['What does _ depend on?'],
    backward: ['What depends on _?', 'Which services depend on _?'],
  },
  {
    type: 'decided_by',
    from: 'decision',
    to: 'person',
    count: 20,
    forward: ['Who decided "_"?'],
    backward: ['What was decided by _?', 'Which decisions did _ make?'],
  },
  {
    type: 'uses',
    from: 'project',
    to: 'service',
    count: 25,
    forward: ['Which services does _ use?'],
    backward: ['Which project uses _?'],
  },
  {
    type: 'affected',
    from: 'incident',
    to: 'service',
    count: 20,
    forward: ['Which service was affected by _?', 'What did _ affect?'],
    backward: ['Which incidents affected _?'],
  },
  {
    type: 'based_in',
    from: 'company',
    to: 'place',
    count: 20,
    forward: ['Where is _ based?'],
    backward: ['Which companies are based in _?'],
  },
]

/** Uses each end once before reusing any. */
export function inventRelations(random: Random, entities: readonly InventedEntity[]): InventedRelation[] {
  return relationKinds.flatMap(({ type, from, to, count }) => {
    const namesOf = (wanted: InventedType) =>
      shuffle(
        random,
        entities.filter((entity) => entity.type === wanted),
      ).map(({ name }) => name)
    const ends = namesOf(to)
    return namesOf(from)
      .slice(0, count)
      .map((name, i) => ({ from: name, type, to: i < ends.length ? ends[i]! : pick(random, ends) }))
      .filter((relation) => relation.from !== relation.to)
  })
}
