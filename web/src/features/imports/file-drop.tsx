import { IconFileImport } from '@tabler/icons-react'
import { useState } from 'react'
import classes from './file-drop.module.css'

type FileDropProps = { title: string; hint: string; accept: string; onFile: (file: File) => void }

/** A place to drop a file on, or to choose one. */
export function FileDrop({ title, hint, accept, onFile }: FileDropProps) {
  const [over, setOver] = useState(false)
  const take = (files: FileList | null) => {
    const file = files?.[0]
    if (file) onFile(file)
  }
  return (
    <label
      className={classes.drop}
      data-over={over}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer.files)
      }}
    >
      <IconFileImport size={22} stroke={1.5} className={classes.icon} aria-hidden />
      <span className={classes.title}>{title}</span>
      <span className={classes.hint}>{hint}</span>
      <input
        className={classes.input}
        type="file"
        accept={accept}
        aria-label={title}
        onChange={(event) => {
          take(event.currentTarget.files)
          // Choosing the same file again must fire a change event too.
          event.currentTarget.value = ''
        }}
      />
    </label>
  )
}
