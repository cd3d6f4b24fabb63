import { useNavigate } from '@tanstack/react-router'
import { type RefObject, useEffect } from 'react'
import { useMay } from '../../lib/rights.ts'
import { isKeyTaken } from '../../lib/screen-keys.ts'
import { undoLast } from '../../lib/undo-offers.ts'
import { createShortcutReader } from './shortcuts.ts'

type Options = {
  onHelp: () => void
  /** While the palette loads, letters are typed for it. */
  isOff?: RefObject<boolean>
}

/** Shortcuts for every signed-in page, active unless the user is typing or a dialog is open. */
export function useShortcuts({ onHelp, isOff }: Options): void {
  const navigate = useNavigate()
  const mayWrite = useMay('memory:write')
  useEffect(() => {
    const read = createShortcutReader(() => performance.now())
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || isOff?.current) return
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) return submitForm(event)
      if (isUndo(event) && !isKeyTaken(event.target) && mayWrite && undoLast()) return event.preventDefault()
      if (event.ctrlKey || event.metaKey || event.altKey || isKeyTaken(event.target)) return
      const action = read(event.key)
      if (action === undefined || (action === 'create' && !mayWrite)) return
      event.preventDefault()
      if (action === 'help') onHelp()
      else if (action === 'create')
        void navigate({ to: '/entities', search: { create: 'true', asOf: undefined } })
      else if (action === 'search') void navigate({ to: '/search' }).then(focusFirstField)
      else void navigate({ to: action.go })
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [navigate, mayWrite, onHelp, isOff])
}

const isUndo = (event: KeyboardEvent) =>
  (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'z'

/** Ctrl+Enter presses the form's submit button if that is enabled. */
function submitForm(event: KeyboardEvent): void {
  const form = event.target instanceof Element ? event.target.closest('form') : null
  const button = form?.querySelector<HTMLButtonElement>('[type=submit]')
  if (!form || !button || button.disabled) return
  event.preventDefault()
  form.requestSubmit(button)
}

function focusFirstField(): void {
  requestAnimationFrame(() => document.querySelector<HTMLInputElement>('#content input')?.focus())
}
