import type { Observation } from '@loci/contract/observations'
import { Badge, Button, Kbd } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatHeld } from '../../lib/fact-time.ts'
import { Panel } from '../../ui/frame.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { WriterBadge } from '../../ui/writer-badge.tsx'
import { Source, whereOf } from './fact-facts.tsx'
import classes from './why-panel.module.css'

type WhyProps = {
  observation: Observation
  observations: readonly Observation[]
  isReadOnly: boolean
  onEdit: () => void
}

const shownCharacters = 500
const shorten = (text: string) =>
  text.length > shownCharacters ? `${text.slice(0, shownCharacters).toWellFormed()}…` : text

/** What is known about one fact: when it held, what it replaced, where it is from and what it rests on. */
export function WhyPanel({ observation, observations, isReadOnly, onEdit }: WhyProps) {
  const {
    id,
    content,
    source,
    files = [],
    stale = [],
    by,
    createdAt,
    at,
    until,
    expiresAt,
    replacedBy,
  } = observation
  const replaced = observations.filter((one) => one.replacedBy === id)
  const newer = observations.find((one) => one.id === replacedBy)
  const held = formatHeld(observation)
  return (
    <Panel
      title="Why it is here"
      description="selected observation"
      aside={
        !isReadOnly && (
          <Button size="xs" variant="default" rightSection={<Kbd size="xs">E</Kbd>} onClick={onEdit}>
            Edit
          </Button>
        )
      }
    >
      <p className={classes.content} dir="auto">
        {shorten(content)}
      </p>
      <dl className={classes.facts}>
        {held && (
          <Fact name="Held">
            {held}
            {at !== undefined && until === undefined && expiresAt === undefined && ', no end known'}
          </Fact>
        )}
        {replaced.map((one) => (
          <Fact key={one.id} name="Replaced">
            <bdi>{shorten(one.content)}</bdi> <small>{formatHeld(one)}</small>
          </Fact>
        ))}
        {newer && (
          <Fact name="Replaced by">
            <bdi>{shorten(newer.content)}</bdi> <small>{formatHeld(newer)}</small>
          </Fact>
        )}
        {source && (
          <Fact name="Source">
            {source.quote && <blockquote className={classes.quote}>{shorten(source.quote)}</blockquote>}
            <Source source={source} word="in" />
          </Fact>
        )}
        {files.length > 0 && (
          <Fact name="Files">
            {files.map((file) => {
              const now = stale.find(({ path, lines }) => path === file.path && lines === file.lines)
              return (
                <span key={whereOf(file)} className={classes.file}>
                  <code>{whereOf(file)}</code>
                  {now !== undefined && (
                    <Badge color="yellow" size="sm">
                      {now.reason}
                    </Badge>
                  )}
                </span>
              )
            })}
          </Fact>
        )}
        <Fact name="Written">
          {by && <WriterBadge by={by} />}{' '}
          <small>
            <TimeText iso={createdAt} inline />
          </small>
        </Fact>
      </dl>
    </Panel>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
