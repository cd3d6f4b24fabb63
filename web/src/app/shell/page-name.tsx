import { useEffect, useState } from 'react'

/** Says which page was opened, for screen readers: the browser says it only when it loads a document. */
export function PageName() {
  const [name, setName] = useState('')
  useEffect(() => {
    const title = document.querySelector('title')
    if (!title) return
    const observer = new MutationObserver(() => setName(document.title.replace(/ · Loci$/, '')))
    observer.observe(title, { childList: true })
    return () => observer.disconnect()
  }, [])
  return (
    <p className="loci-unseen" role="status">
      {name}
    </p>
  )
}
