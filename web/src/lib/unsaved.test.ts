import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { answerDiscard, hasUnsaved, holdDraft, isAsking, isChanged, mayDiscard } from './unsaved.ts'

const page = { scope: undefined, saving: false }

test('nothing is asked if nothing was written', async () => {
  expect(await mayDiscard()).toBe(true)
  expect(isAsking()).toBe(false)
})

test('what was written is asked about once, however often one tries to leave', async () => {
  const release = holdDraft(page)
  const [first, second] = [mayDiscard(), mayDiscard()]
  await sleep(1)
  expect(isAsking()).toBe(true)
  answerDiscard(false)
  expect(await Promise.all([first, second, mayDiscard()])).toEqual([false, false, false])
  await sleep(1)
  expect(isAsking()).toBe(false)
  const third = mayDiscard()
  answerDiscard(true)
  expect(await third).toBe(true)
  await sleep(1)
  release()
  expect(hasUnsaved()).toBe(false)
})

test('a dialog asks about its own form, a page about all of them', async () => {
  const dialog = Symbol('dialog')
  const release = holdDraft(page)
  expect(await mayDiscard(dialog)).toBe(true)
  const releaseOwn = holdDraft({ scope: dialog, saving: false })
  const asked = mayDiscard(dialog)
  await sleep(1)
  expect(isAsking()).toBe(true)
  answerDiscard(true)
  expect(await asked).toBe(true)
  await sleep(1)
  release()
  expect(hasUnsaved()).toBe(true)
  releaseOwn()
})

test('a form being saved keeps its dialog open, and lets the page go on', async () => {
  const dialog = Symbol('dialog')
  const release = holdDraft({ scope: dialog, saving: true })
  expect(await mayDiscard()).toBe(true)
  const asked = mayDiscard(dialog)
  answerDiscard(false)
  expect(await asked).toBe(false)
  release()
})

test('a form that is back to its original values is unchanged', () => {
  expect(isChanged({ name: 'Ada', tags: ['x'] }, { name: 'Ada', tags: ['x'] })).toBe(false)
  expect(isChanged({ name: 'Ada ' }, { name: 'Ada' })).toBe(true)
})
