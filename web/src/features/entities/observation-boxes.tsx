import { ActionIcon, Button, Group, Input, Stack, Textarea } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { newBox, type ObservationBox } from './entity-form.rules.ts'

const shownAtFirst = 30

type ObservationBoxesProps = {
  boxes: ObservationBox[]
  error?: string
  onChange: (boxes: ObservationBox[]) => void
}

/** One text box per observation; a long list is shown in portions. */
export function ObservationBoxes({ boxes, error, onChange }: ObservationBoxesProps) {
  const [shown, setShown] = useState(shownAtFirst)
  const hidden = Math.max(0, boxes.length - shown)
  return (
    <Input.Wrapper label="Observations" error={error} labelElement="div">
      <Stack gap="xs" mt={4}>
        {boxes.slice(0, shown).map(({ key, text }, index) => (
          <Group key={key} gap={6} wrap="nowrap" align="flex-start">
            <Textarea
              aria-label={`Observation ${index + 1}`}
              placeholder="One fact, in a sentence"
              dir="auto"
              autosize
              minRows={1}
              maxRows={8}
              flex={1}
              value={text}
              onChange={(event) => {
                const { value } = event.currentTarget
                onChange(boxes.map((box) => (box.key === key ? { ...box, text: value } : box)))
              }}
            />
            {boxes.length > 1 && (
              <ActionIcon
                size={36}
                aria-label={`Remove observation ${index + 1}`}
                onClick={() => onChange(boxes.filter((box) => box.key !== key))}
              >
                <IconTrash size={16} />
              </ActionIcon>
            )}
          </Group>
        ))}
        <Group gap="xs">
          <Button
            variant="subtle"
            size="xs"
            leftSection={<IconPlus size={14} />}
            onClick={() => {
              onChange([...boxes, newBox()])
              setShown(boxes.length + 1)
            }}
          >
            Add Observation
          </Button>
          {hidden > 0 && (
            <Button variant="subtle" size="xs" onClick={() => setShown(shown + shownAtFirst * 3)}>
              Show more ({formatNumber(hidden)} hidden)
            </Button>
          )}
        </Group>
      </Stack>
    </Input.Wrapper>
  )
}
