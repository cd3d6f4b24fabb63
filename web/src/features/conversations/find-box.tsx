import { ActionIcon, Kbd, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconChevronDown, IconChevronUp, IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { useScreenKeys } from '../../lib/screen-keys.ts'
import classes from './find-box.module.css'
import type { Find, useFind } from './use-find.ts'

const typingMs = 250

type FindBoxProps = { find: Find; found: ReturnType<typeof useFind> }

/** Finds words within the conversation: `/` leads here, Enter to the next turn with them. */
export function FindBox({ find, found }: FindBoxProps) {
  const [text, setText] = useState(find.text ?? '')
  const field = useRef<HTMLInputElement>(null)
  useScreenKeys({ '/': () => field.current?.focus() })
  const wanted = text.trim() || undefined
  const search = useDebouncedCallback((sought: string | undefined) => find.search(sought), typingMs)

  function type(typed: string) {
    setText(typed)
    search(typed.trim() || undefined)
  }

  function press(event: KeyboardEvent) {
    if (event.key === 'Escape') {
      if (text === '') field.current?.blur()
      type('')
    } else if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    else if (wanted !== find.text) search.flush()
    else found.go(event.shiftKey ? -1 : 1)
    event.preventDefault()
  }

  return (
    <search className={classes.find}>
      <TextInput
        ref={field}
        type="search"
        size="xs"
        dir="auto"
        aria-label="Find in it"
        placeholder="Find in it"
        classNames={{ root: classes.field }}
        leftSection={<IconSearch size={14} aria-hidden />}
        rightSection={
          text === '' && (
            <Kbd size="xs" className={classes.key} aria-hidden>
              /
            </Kbd>
          )
        }
        value={text}
        // Arriving at a turn that was searched for, the search goes on.
        autoFocus={find.text !== undefined}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={press}
      />
      <span className={classes.count} role="status">
        {find.text !== undefined && wordsOf(found)}
      </span>
      {found.matches.length > 0 && (
        <>
          <ActionIcon aria-label="Previous turn with it" onClick={() => found.go(-1)}>
            <IconChevronUp size={16} />
          </ActionIcon>
          <ActionIcon aria-label="Next turn with it" onClick={() => found.go(1)}>
            <IconChevronDown size={16} />
          </ActionIcon>
        </>
      )}
    </search>
  )
}

function wordsOf({ matches, isComplete, hasFailed, isPending, at }: FindBoxProps['found']): string {
  if (hasFailed) return 'Could not search it'
  if (isPending) return ''
  if (matches.length === 0) return 'Not in it'
  const count = `${formatNumber(matches.length)}${isComplete ? '' : '+'}`
  if (at === -1) return matches.length === 1 ? '1 turn' : `${count} turns`
  return `${formatNumber(at + 1)} of ${count}`
}
