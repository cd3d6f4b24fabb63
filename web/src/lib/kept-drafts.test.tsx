// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hasKeptDraft, keepDrafts, releaseDrafts, useKeepDraft, useKeptDraft } from './kept-drafts.ts'

function Note() {
  const [text, setText] = useState(useKeptDraft<string>('note') ?? '')
  useKeepDraft('note', text, text !== '')
  return <input aria-label="Note" value={text} onChange={(event) => setText(event.currentTarget.value)} />
}

const shown = () => screen.getByLabelText<HTMLInputElement>('Note').value

async function writeUntilTheSessionEnds(text: string) {
  render(<Note />)
  if (text !== '') await userEvent.type(screen.getByLabelText('Note'), text)
  keepDrafts('ada')
  cleanup()
}

beforeEach(() => releaseDrafts(undefined))
afterEach(cleanup)

test('a draft is back, once, for the user who wrote it', async () => {
  await writeUntilTheSessionEnds('Half a thought')
  releaseDrafts('ada')
  expect(hasKeptDraft('note')).toBe(true)
  render(<Note />)
  expect(shown()).toBe('Half a thought')
  cleanup()
  render(<Note />)
  expect(shown()).toBe('')
})

test('another user never sees it, and an empty form leaves none', async () => {
  await writeUntilTheSessionEnds('Half a thought')
  releaseDrafts('grace')
  expect(hasKeptDraft('note')).toBe(false)
  await writeUntilTheSessionEnds('')
  expect(hasKeptDraft('note')).toBe(false)
})
