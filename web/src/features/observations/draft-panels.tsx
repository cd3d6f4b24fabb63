import type { Observation } from '@loci/contract/observations'
import { Checkbox } from '@mantine/core'
import { formatHeld } from '../../lib/fact-time.ts'
import { Panel } from '../../ui/frame.tsx'
import { alsoSaid, type Draft, withDraft } from './draft.rules.ts'
import { didHold, heldOf, nowOnCalendar } from './held.rules.ts'
import classes from './why-panel.module.css'

type DraftProps = {
  observations: readonly Observation[]
  edited: Observation
  draft: Draft
  also: readonly string[]
  onAlso: (ids: readonly string[]) => void
}

const monthFormat = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const dayMs = 86_400_000
const shownCharacters = 300
const shorten = (text: string) =>
  text.length > shownCharacters ? `${text.slice(0, shownCharacters).toWellFormed()}…` : text

/** What agents hear after a replacement, and what else it may replace. */
export function DraftPanels({ observations, edited, draft, also, onAlso }: DraftProps) {
  const after = withDraft(observations, edited, draft, also)
  const added = after.at(-1)!
  const old = after.find(({ id }) => id === edited.id) ?? edited
  const began = heldOf(added).from ?? 0
  const before = began - dayMs
  const others = alsoSaid(observations, edited, draft.content)
  return (
    <>
      <Panel title="What an agent will be told">
        <dl className={classes.told}>
          <Told when="Asked today" fact={didHold(added, nowOnCalendar(Date.now())) ? added : old} />
          {didHold(old, before) && <Told when={`Asked for ${monthFormat.format(before)}`} fact={old} />}
        </dl>
      </Panel>
      {others.length > 0 && (
        <Panel title="Also said about it" description="nearest first; tick what this replaces, too">
          <div className={classes.also}>
            {others.map((fact) => (
              <Checkbox
                key={fact.id}
                size="xs"
                label={<bdi>{shorten(fact.content)}</bdi>}
                description={formatHeld(fact)}
                checked={also.includes(fact.id)}
                onChange={({ currentTarget: { checked } }) =>
                  onAlso(checked ? [...also, fact.id] : also.filter((id) => id !== fact.id))
                }
              />
            ))}
          </div>
        </Panel>
      )}
    </>
  )
}

const Told = ({ when, fact }: { when: string; fact: Observation }) => (
  <div>
    <dt>{when}</dt>
    <dd>
      <bdi>{shorten(fact.content)}</bdi> <small>{formatHeld(fact)}</small>
    </dd>
  </div>
)
