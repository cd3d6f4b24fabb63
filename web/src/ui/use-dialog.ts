import { useCallback, useState } from 'react'

/** Which dialog is open, and its subject, which stays while the dialog fades out. */
export function useDialog<Name extends string, Subject>() {
  const [state, setState] = useState<{ name?: Name; subject?: Subject }>({})
  const open = useCallback((name: Name, subject?: Subject) => setState({ name, subject }), [])
  const close = useCallback(() => setState((now) => ({ subject: now.subject })), [])
  return {
    subject: state.subject,
    isOpen: (name: Name) => state.name === name,
    open,
    close,
  }
}
