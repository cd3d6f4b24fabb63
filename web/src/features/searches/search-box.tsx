import { ActionIcon, Kbd, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import classes from './search-box.module.css'

type BoxProps = {
  query: string
  /** The number of results, shown on the right. */
  found: ReactNode
  onSearch: (query: string) => void
}

/** The search field. */
export function SearchBox({ query, found, onSearch }: BoxProps) {
  const [text, setText] = useState(query)
  useEffect(() => setText(query), [query])

  function submit(event: FormEvent) {
    event.preventDefault()
    onSearch(text.trim())
  }

  return (
    <search>
      <form onSubmit={submit}>
        <TextInput
          aria-label="Search knowledge"
          placeholder="What do your agents know about..."
          type="search"
          size="lg"
          dir="auto"
          autoFocus
          classNames={{ input: classes.input }}
          leftSectionPointerEvents="all"
          leftSection={
            <ActionIcon type="submit" aria-label="Search">
              <IconSearch size={18} />
            </ActionIcon>
          }
          rightSectionWidth="auto"
          rightSection={
            <span className={classes.found}>
              <span role="status" className={classes.count}>
                {found}
              </span>
              <Kbd aria-hidden>Enter</Kbd>
            </span>
          }
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {found && <p className={classes.below}>{found}</p>}
      </form>
    </search>
  )
}
