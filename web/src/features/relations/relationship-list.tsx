import { labelOfType } from '@loci/contract/lists'
import type { Relation } from '@loci/contract/relations'
import { Badge, Button, Skeleton } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { countOf } from '../../lib/format.ts'
import { rowsOf } from '../../lib/pages.ts'
import rows from '../../ui/rows.module.css'
import { Section } from '../../ui/section.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { TypeBadge } from '../../ui/type-badge.tsx'
import { useRelationsOf } from './relations.queries.ts'
import classes from './relationship-list.module.css'

/** The relations of one entity, both ways. When they cannot be had the list is empty. */
export function RelationshipList({ entityId }: { entityId: string }) {
  const { data, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = useRelationsOf(entityId)
  const relations = rowsOf(data)
  const total = data?.pages[0]?.total
  return (
    <Section
      title="Relationships"
      flush
      aside={total ? <span className={rows.dim}>{countOf(total, 'relation', 'relations')}</span> : undefined}
    >
      {isPending && (
        <div className={rows.row}>
          <Skeleton height={16} />
        </div>
      )}
      {!isPending && relations.length === 0 && <p className={rows.none}>No relationships found</p>}
      <ul className={rows.list}>
        {relations.map((relation) => (
          <Relationship key={relation.id} relation={relation} outgoing={relation.fromEntityId === entityId} />
        ))}
      </ul>
      {hasNextPage && (
        <div className={classes.more}>
          <Button
            variant="subtle"
            size="xs"
            loading={isFetchingNextPage}
            onClick={() => void fetchNextPage()}
          >
            Show more
          </Button>
        </div>
      )}
    </Section>
  )
}

function Relationship({ relation, outgoing }: { relation: Relation; outgoing: boolean }) {
  const other = outgoing ? relation.toEntity : relation.fromEntity
  const otherId = outgoing ? relation.toEntityId : relation.fromEntityId
  return (
    <li>
      <Link to="/entities/$entityId" params={{ entityId: otherId }} className={rows.row}>
        <span className={classes.kind} title={relation.type}>
          {labelOfType(relation.type)}
        </span>
        <Badge color={outgoing ? 'iris' : 'gray'} className={classes.way}>
          {outgoing ? 'outgoing' : 'incoming'}
        </Badge>
        <span className={`${rows.main} ${rows.name}`} dir="auto">
          {other.name}
        </span>
        <span className={classes.type}>
          <TypeBadge type={other.type} />
        </span>
        <span className={`${rows.dim} ${classes.date}`}>
          <TimeText iso={relation.createdAt} />
        </span>
        <IconArrowRight size={15} className={classes.arrow} aria-hidden />
      </Link>
    </li>
  )
}
