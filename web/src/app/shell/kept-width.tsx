import { type ReactNode, useEffect, useRef } from 'react'
import classes from './kept-width.module.css'

type KeptWidthProps = { name: string; isLoading: boolean; children: ReactNode }

/** While its content loads, takes the width that the content had last time, so that its neighbours stay in place. */
export function KeptWidth({ name, isLoading, children }: KeptWidthProps) {
  const box = useRef<HTMLDivElement>(null)
  const key = `width of ${name}`
  useEffect(() => {
    if (isLoading || box.current === null) return
    const observer = new ResizeObserver(([entry]) =>
      localStorage.setItem(key, String(Math.ceil(entry!.contentRect.width))),
    )
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [isLoading, key])
  const width = isLoading ? Number(localStorage.getItem(key)) : 0
  return (
    <div
      ref={box}
      className={classes.box}
      data-kept={width > 0 || undefined}
      style={{ width: width || undefined }}
    >
      {children}
    </div>
  )
}
