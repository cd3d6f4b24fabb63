import { type RefObject, useEffect } from 'react'

/** Puts the focus into the first field that has an error whenever `errors` change to some; a text will do. */
export function useFocusInvalid(form: RefObject<HTMLFormElement | null>, errors: object | string): void {
  useEffect(() => {
    if (Object.keys(errors).length > 0)
      form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [form, errors])
}
