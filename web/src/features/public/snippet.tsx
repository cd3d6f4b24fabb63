/** Text to paste; the script adds a copy button. */
export function Snippet({ label, text }: { label: string; text: string }) {
  return (
    <div className="snippet">
      <div className="snippet-head">
        <span>{label}</span>
        <button type="button" data-copy hidden aria-label={`Copy: ${label}`}>
          Copy
        </button>
      </div>
      <pre>
        <code>{text}</code>
      </pre>
    </div>
  )
}
