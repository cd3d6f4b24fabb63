import { ActionIcon, Button, Kbd, Radio, SegmentedControl, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import classes from './change-choice.module.css'
import type { Day, Meaning, Precision } from './draft.rules.ts'

const choices = [
  {
    value: 'replaced',
    title: 'This replaced it',
    key: '1',
    text: 'The old fact was true until then. It stays, and ends when this one begins.',
  },
  {
    value: 'slip',
    title: 'This was a slip',
    key: '2',
    text: 'The old wording was never right. It is corrected and stays only in History.',
  },
] as const

type ChoiceProps = {
  meaning: Meaning | undefined
  began: Day
  ended: Day | undefined
  onMeaning: (meaning: Meaning) => void
  onBegan: (began: Day) => void
  onEnded: (ended: Day | undefined) => void
}

/** Asks what a new wording means; a replacement says when it began, and can say when it ended. */
export function ChangeChoice({ meaning, began, ended, onMeaning, onBegan, onEnded }: ChoiceProps) {
  return (
    <>
      <Radio.Group
        label="What changed"
        labelProps={{ className: 'loci-unseen' }}
        value={meaning ?? ''}
        onChange={(value) => onMeaning(value as Meaning)}
      >
        <div className={classes.choices}>
          {choices.map(({ value, title, key, text }) => (
            <Radio.Card
              key={value}
              value={value}
              className={classes.choice}
              data-chosen={meaning === value || undefined}
            >
              <Radio.Indicator size="xs" />
              <span className={classes.words}>
                <span className={classes.title}>
                  <strong>{title}</strong>
                  <Kbd size="xs" className={classes.keys} aria-hidden>
                    Alt {key}
                  </Kbd>
                </span>
                <span className={classes.text}>{text}</span>
              </span>
            </Radio.Card>
          ))}
        </div>
      </Radio.Group>
      {meaning === 'replaced' && (
        <>
          <DayField label="Began" part="beginning" value={began} onChange={onBegan}>
            {ended === undefined && (
              <Button size="compact-xs" variant="subtle" onClick={() => onEnded(began)}>
                Add an end
              </Button>
            )}
          </DayField>
          {ended && (
            <DayField label="Ended" part="end" value={ended} onChange={onEnded}>
              <ActionIcon aria-label="Remove the end" onClick={() => onEnded(undefined)}>
                <IconX size={14} />
              </ActionIcon>
            </DayField>
          )}
        </>
      )}
    </>
  )
}

type DayProps = {
  label: string
  part: string
  value: Day
  onChange: (value: Day) => void
  children: React.ReactNode
}

function DayField({ label, part, value, onChange, children }: DayProps) {
  return (
    <div className={classes.line}>
      <span className={classes.label} aria-hidden>
        {label}
      </span>
      <TextInput
        type="date"
        size="xs"
        aria-label={label}
        value={value.day}
        onChange={(event) => onChange({ ...value, day: event.currentTarget.value })}
      />
      <SegmentedControl
        size="xs"
        aria-label={`How precisely the ${part} is known`}
        value={value.precision}
        data={[
          { value: 'day', label: 'Day' },
          { value: 'month', label: 'Month' },
          { value: 'year', label: 'Year' },
        ]}
        onChange={(precision) => onChange({ ...value, precision: precision as Precision })}
      />
      {children}
    </div>
  )
}
