import { useCallback, useEffect, useState } from 'react'

/**
 * Full screen of the whole document, so that menus and dialogs stay visible; CSS makes the target fill it.
 * Without browser support, the target fills the window.
 */
export function useFullScreen() {
  const [full, setFull] = useState(false)

  useEffect(() => {
    const left = () => {
      if (!document.fullscreenElement) setFull(false)
    }
    document.addEventListener('fullscreenchange', left)
    return () => {
      document.removeEventListener('fullscreenchange', left)
      leave()
    }
  }, [])

  const toggle = useCallback(() => {
    setFull(!full)
    if (full) leave()
    // Rejected if a frame or the system forbids it.
    else document.documentElement.requestFullscreen?.().catch(() => {})
  }, [full])

  return { full, toggle }
}

function leave(): void {
  if (document.fullscreenElement) void document.exitFullscreen()
}
