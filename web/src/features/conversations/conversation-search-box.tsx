import { ActionIcon, Kbd, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useScreenKeys } from '../../lib/screen-keys.ts'
import classes from './conversation-search-box.module.css'

type BoxProps = { query: string; onSearch: (query: string) => void }

/** Searches what was said; `/` leads here. */
export function ConversationSearchBox({ query, onSearch }: BoxProps) {
  const [text, setText] = useState(query)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => setText(query), [query])
  useScreenKeys({ '/': () => field.current?.focus() })
  function submit(event: FormEvent) {
    event.preventDefault()
    onSearch(text.trim())
  }
  return (
    <search>
      <form onSubmit={submit}>
        <TextInput
          ref={field}
          aria-label="Search what was said"
          placeholder="Search what was said: a command, an error, a file, a name"
          type="search"
          size="md"
          dir="auto"
          classNames={{ input: classes.input }}
          leftSectionPointerEvents="all"
          leftSection={
            <ActionIcon type="submit" aria-label="Search">
              <IconSearch size={18} />
            </ActionIcon>
          }
          rightSection={
            <Kbd size="xs" className={classes.key} aria-hidden>
              /
            </Kbd>
          }
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value)
            if (event.currentTarget.value === '') onSearch('')
          }}
        />
      </form>
    </search>
  )
}
