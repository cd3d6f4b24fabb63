import type { EntityHit, SearchObservationsResponse } from '@loci/contract/search'
import { Button } from '@mantine/core'
import { IconWand } from '@tabler/icons-react'
import { useState } from 'react'
import { countOf } from '../../lib/format.ts'
import { Frame, Panel } from '../../ui/frame.tsx'
import { placeRelations, splitHits, splitWeak } from './hits.rules.ts'
import { EntityName, RelationLine, SearchHit } from './search-hit.tsx'
import classes from './search-results.module.css'

type ResultsProps = {
  query: string
  answer: SearchObservationsResponse
  /** The number of hits that can still be loaded. */
  unread: number
  isFetching: boolean
  onMore: () => void
}

const entitiesShown = 5
const relationsShown = 6
const spellingsShown = 4
/** The minimum score for a relation to count as an answer by itself. */
const answerMin = 0.3

/** The answer to a question: matching entities and relations, then observations, with guesses apart. */
export function SearchResults({ query, answer, unread, isFetching, onMore }: ResultsProps) {
  const [isWhole, setWhole] = useState(false)
  const hits = answer.observations
  const { plain, guessed, spellings } = splitHits(hits, query, answer.understood)
  const { strong, weak } = splitWeak(plain)
  const { ofHits, others } = placeRelations(
    answer.relations.filter(({ score }) => score >= answerMin),
    hits,
  )
  const row = (hit: (typeof hits)[number]) => (
    <SearchHit key={hit.id} hit={hit} relations={ofHits.get(hit.id) ?? []} />
  )
  return (
    <div className={classes.column} aria-busy={isFetching}>
      <Entities entities={answer.entities} />
      {others.length > 0 && (
        <Frame>
          <Panel title="Relations">
            <ul className={classes.relations}>
              {others.slice(0, relationsShown).map((relation) => (
                <RelationLine key={relation.id} relation={relation} />
              ))}
            </ul>
          </Panel>
        </Frame>
      )}
      {plain.length > 0 && <ol className={classes.hits}>{(isWhole ? plain : strong).map(row)}</ol>}
      {weak.length > 0 && !isWhole && (
        <div className={classes.cut}>
          <Button variant="default" onClick={() => setWhole(true)}>
            Show {countOf(weak.length + unread, 'weaker match', 'weaker matches')}
          </Button>
        </div>
      )}
      {guessed.length > 0 && (
        <section className={classes.column} aria-labelledby="similar-spelling">
          <h2 id="similar-spelling" className={classes.similar}>
            <IconWand size={16} aria-hidden /> Similar spelling:{' '}
            <b>{spellings.slice(0, spellingsShown).join(', ')}</b>
          </h2>
          <ol className={classes.hits}>{guessed.map(row)}</ol>
        </section>
      )}
      {unread > 0 && (isWhole || weak.length === 0) && (
        <div className={classes.more}>
          <Button variant="default" loading={isFetching} onClick={onMore}>
            Show more
          </Button>
        </div>
      )}
    </div>
  )
}

/** The entities that the question names, lists or describes. */
function Entities({ entities }: { entities: readonly EntityHit[] }) {
  if (entities.length === 0) return null
  return (
    <Frame>
      <Panel title="Entities">
        <ul className={classes.entities}>
          {entities.slice(0, entitiesShown).map((entity) => (
            <li key={entity.id} className={classes.entity}>
              <EntityName entity={entity} />
              <span className={classes.type}>{entity.type}</span>
              <span className={classes.metadata}>{metadataOf(entity)}</span>
            </li>
          ))}
        </ul>
      </Panel>
    </Frame>
  )
}

const pairsShown = 3

const metadataOf = ({ metadata }: EntityHit): string =>
  Object.entries(metadata)
    .slice(0, pairsShown)
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ')
