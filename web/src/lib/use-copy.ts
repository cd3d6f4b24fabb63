import { useEffect, useState } from 'react'

const copiedShownMs = 1_600

/** Copies to the clipboard; a refusal is only logged. */
export function useCopy(value: string) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), copiedShownMs)
    return () => clearTimeout(timer)
  }, [copied])
  async function copy() {
    try {
      await navigator.clipboard.writeText(value)
      setCopied(true)
    } catch (error) {
      console.warn('Failed to copy to the clipboard', error)
    }
  }
  return { copied, copy: () => void copy() }
}
