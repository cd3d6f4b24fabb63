import { labelOfType } from '@loci/contract/lists'
import { ActionIcon, Badge, Button, Skeleton } from '@mantine/core'
import { IconChevronRight, IconPlus, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { formatNumber } from '../../lib/format.ts'
import { notifyError } from '../../lib/notify.tsx'
import { rowsOf } from '../../lib/pages.ts'
import { useMayWrite } from '../../lib/rights.ts'
import { useNotifyUndoable } from '../../lib/use-undo.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { Panel } from '../../ui/frame.tsx'
import { NextPage } from '../../ui/next-page.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { TypeDot } from '../../ui/type-badge.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { WaitsBadge } from '../../ui/waits-badge.tsx'
import { AddRelationship } from './add-relationship.tsx'
import type { PickedEntity } from './entity-picker.tsx'
import { useDeleteRelation, useRelationsOf } from './relations.queries.ts'
import { groupRelationships, type RelationshipGroup } from './relationship-groups.ts'
import classes from './relationship-list.module.css'

type ListProps = {
  entity: PickedEntity
  /** The past is read-only. */
  asOf?: string | undefined
}

/** An entity's relations by type and direction, with controls to add and remove them. */
export function RelationshipList({ entity, asOf }: ListProps) {
  const [isAdding, setAdding] = useState(false)
  const query = useRelationsOf(entity.id, asOf)
  const { data, error, isPending } = query
  const relations = rowsOf(data)
  const total = data?.pages[0]?.total ?? 0
  const isReadOnly = !useMayWrite()
  return (
    <Panel
      title="Relationships"
      description={total > 0 && formatNumber(total)}
      flush
      aside={
        !isReadOnly &&
        !isAdding && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} />}
            aria-label="Add relationship"
            onClick={() => setAdding(true)}
          >
            Add
          </Button>
        )
      }
    >
      {isAdding && <AddRelationship entity={entity} onClose={() => setAdding(false)} />}
      {isPending && (
        <div className={classes.group}>
          <Skeleton height={16} my={8} />
        </div>
      )}
      {error && !query.isFetchNextPageError && (
        <div className={classes.failure}>
          <ErrorAlert message="Relationships could not be loaded" onRetry={() => void query.refetch()} />
        </div>
      )}
      {data && relations.length === 0 && <p className={classes.none}>No relationships found</p>}
      {groupRelationships(relations, entity.id).map((group) => (
        <Group key={group.key} group={group} isReadOnly={isReadOnly} />
      ))}
      {query.hasNextPage && (
        <div className={classes.more}>
          <NextPage query={query} failure="More relationships could not be loaded">
            Show more
          </NextPage>
        </div>
      )}
    </Panel>
  )
}

function Group({ group, isReadOnly }: { group: RelationshipGroup; isReadOnly: boolean }) {
  const { type, isOutgoing, items } = group
  const label = labelOfType(type)
  const way = isOutgoing ? 'outgoing' : 'incoming'
  return (
    <div className={classes.group}>
      <div className={classes.kind}>
        <span title={type}>{label}</span>
        <Badge color="gray" size="sm" className={classes.way}>
          {way}
        </Badge>
      </div>
      <ul className={classes.items} aria-label={`${label} ${way}`}>
        {items.map(({ relation, otherId, other }) => (
          <li key={relation.id} className={classes.item}>
            <Link to="/entities/$entityId" params={{ entityId: otherId }} className={classes.link}>
              <span className="loci-unseen">
                {label} {way}{' '}
              </span>
              <TypeDot type={other.type} />
              <span className={classes.name} dir="auto" title={other.name}>
                <VisibleText text={other.name} />
              </span>
              <span className={classes.type}>
                <VisibleText text={other.type} />
              </span>
              {relation.proposed ? (
                <WaitsBadge />
              ) : (
                <span className={classes.date}>
                  <TimeText iso={relation.createdAt} />
                </span>
              )}
              <IconChevronRight size={14} className={classes.arrow} aria-hidden />
            </Link>
            {!isReadOnly && !relation.proposed && <RemoveButton id={relation.id} name={other.name} />}
          </li>
        ))}
      </ul>
    </div>
  )
}

function RemoveButton({ id, name }: { id: string; name: string }) {
  const remove = useDeleteRelation()
  const notifyUndoable = useNotifyUndoable()
  return (
    <ActionIcon
      size="sm"
      className={classes.remove}
      aria-label={`Remove relationship with ${name}`}
      loading={remove.isPending}
      onClick={() =>
        remove.mutate(id, {
          onSuccess: ({ setId }) => notifyUndoable('Relation deleted successfully', setId),
          onError: (error) => notifyError('Failed to delete relation', messageOf(error, '')),
        })
      }
    >
      <IconX size={14} />
    </ActionIcon>
  )
}
