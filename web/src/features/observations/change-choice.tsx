import { Radio, SegmentedControl, TextInput } from '@mantine/core'
import classes from './change-choice.module.css'

/** What a new wording means: the world has changed, or the old one was never right. */
export type Meaning = 'replaced' | 'slip'
export type Precision = 'day' | 'month' | 'year'
export type Began = { day: string; precision: Precision }

const lengths = { day: 10, month: 7, year: 4 } as const

/** The time as it is sent: `2026-11-16`, `2026-11`, `2026`. */
export const toFactTime = ({ day, precision }: Began) => day.slice(0, lengths[precision])

const choices = [
  {
    value: 'replaced',
    title: 'This replaced it',
    text: 'The old fact was true until then. It stays, and ends when this one begins.',
  },
  {
    value: 'slip',
    title: 'This was a slip',
    text: 'The old wording was never right. It is corrected and stays only in History.',
  },
] as const

type ChoiceProps = {
  meaning: Meaning | undefined
  began: Began
  onMeaning: (meaning: Meaning) => void
  onBegan: (began: Began) => void
}

/** Asks what a new wording means; a replacement says when it began. */
export function ChangeChoice({ meaning, began, onMeaning, onBegan }: ChoiceProps) {
  return (
    <>
      <Radio.Group
        aria-label="What changed"
        value={meaning ?? ''}
        onChange={(value) => onMeaning(value as Meaning)}
      >
        <div className={classes.choices}>
          {choices.map(({ value, title, text }) => (
            <Radio.Card
              key={value}
              value={value}
              className={classes.choice}
              data-chosen={meaning === value || undefined}
            >
              <Radio.Indicator size="xs" />
              <span>
                <strong>{title}</strong>
                <span className={classes.text}>{text}</span>
              </span>
            </Radio.Card>
          ))}
        </div>
      </Radio.Group>
      {meaning === 'replaced' && (
        <div className={classes.began}>
          <TextInput
            type="date"
            size="xs"
            label="Began"
            value={began.day}
            onChange={(event) => onBegan({ ...began, day: event.currentTarget.value })}
          />
          <SegmentedControl
            size="xs"
            aria-label="How precisely this is known"
            value={began.precision}
            data={[
              { value: 'day', label: 'Day' },
              { value: 'month', label: 'Month' },
              { value: 'year', label: 'Year' },
            ]}
            onChange={(precision) => onBegan({ ...began, precision: precision as Precision })}
          />
        </div>
      )}
    </>
  )
}
