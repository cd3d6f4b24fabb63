import { screen, within } from '@testing-library/react'

type Name = string | RegExp

export const button = (name: Name) => screen.getByRole<HTMLButtonElement>('button', { name })

export const field = (label: Name) => screen.getByLabelText<HTMLInputElement>(label)

/** The queries of an open dialog. */
export const dialogNamed = async (name: Name) => within(await screen.findByRole('dialog', { name }))

/** The queries of the item of a list that shows this text. */
export async function itemWith(text: Name) {
  const item = (await screen.findByText(text)).closest('li')
  if (item === null) throw new Error(`No item with ${text}`)
  return within(item)
}

/** The text of an element, without repeated white space. */
export const wordsOf = (element: Element | null) => element?.textContent.replace(/\s+/g, ' ').trim() ?? ''
