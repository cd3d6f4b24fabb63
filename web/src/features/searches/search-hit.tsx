import { wordsOfType } from '@loci/contract/lists'
import type { ObservationHit, RelationHit } from '@loci/contract/search'
import { Link } from '@tanstack/react-router'
import { Highlighted } from '../../ui/highlighted.tsx'
import { plainText } from '../../ui/markdown/plain-text.ts'
import { TimeText } from '../../ui/time-text.tsx'
import { TypeDot } from '../../ui/type-badge.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { WriterBadge } from '../../ui/writer-badge.tsx'
import { ScoreExplanation } from './score-explanation.tsx'
import classes from './search-results.module.css'

type HitProps = { hit: ObservationHit; relations: readonly RelationHit[] }

/**
 * An observation with highlighted matches, the observations before and after it, and related relations of the
 * answer.
 */
export function SearchHit({ hit, relations }: HitProps) {
  const { entity, content, highlights, before, after, by, createdAt, explain } = hit
  return (
    <li className={classes.hit}>
      <div className={classes.head}>
        <EntityName entity={entity} />
        <span className={classes.type}>{entity.type}</span>
        <span className={classes.facts}>
          {by && <WriterBadge by={by} />}
          <TimeText iso={createdAt} />
        </span>
      </div>
      <Neighbours texts={before} />
      <p className={classes.content} dir="auto">
        <Highlighted content={content} highlights={highlights} />
      </p>
      <Neighbours texts={after} />
      {relations.length > 0 && (
        <ul className={classes.relations}>
          {relations.map((relation) => (
            <RelationLine key={relation.id} relation={relation} ownId={entity.id} />
          ))}
        </ul>
      )}
      {explain && <ScoreExplanation parts={explain} />}
    </li>
  )
}

function Neighbours({ texts }: { texts: ObservationHit['before'] }) {
  return texts.map(({ id, content }) => (
    <p key={id} className={classes.neighbour} dir="auto">
      <VisibleText text={plainText(content, 300)} />
    </p>
  ))
}

type Named = RelationHit['from']

export function EntityName({ entity }: { entity: Named }) {
  return (
    <Link
      to="/entities/$entityId"
      params={{ entityId: entity.id }}
      className={classes.name}
      title={entity.name}
    >
      <TypeDot type={entity.type} />
      <bdi>
        <VisibleText text={entity.name} />
      </bdi>
    </Link>
  )
}

/** A relation in the answer; beside its own entity only the other end is named. */
export function RelationLine({ relation, ownId }: { relation: RelationHit; ownId?: string }) {
  const { from, to, relationType } = relation
  return (
    <li className={classes.relation}>
      {from.id !== ownId && <EntityName entity={from} />}
      <span className={classes.kind} title={relationType}>
        {wordsOfType(relationType)}
      </span>
      {to.id !== ownId && <EntityName entity={to} />}
    </li>
  )
}
