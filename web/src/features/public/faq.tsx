const questions: readonly (readonly [question: string, answer: string])[] = [
  [
    'Is there a free trial?',
    'Yes. Every paid plan starts with a free trial of 14 days, and you do not need a card for it. The Free plan never expires.',
  ],
  [
    'Can I change my plan later?',
    'At any time. An upgrade applies immediately; a downgrade takes effect at the next billing cycle.',
  ],
  [
    'What happens when I exceed my limits?',
    'You are rate limited for a time: past the month’s operations, calls are turned away and told when to come back; past the entities, new ones are refused. You can always read and export what you stored.',
  ],
  [
    'What counts as an operation?',
    'One call with your key or from your session, over MCP or REST: a search, a read, a write. Storing fifty observations in one call is one operation.',
  ],
  [
    'What counts as an entity?',
    'One named thing in your graph: a person, a project, a decision. The observations on it and the relations between entities are not counted against the limit.',
  ],
]

export function Faq() {
  return (
    <section className="section faq" aria-labelledby="faq-title">
      <h2 id="faq-title">
        Questions, <span>answered plainly.</span>
      </h2>
      <div>
        {questions.map(([question, answer]) => (
          <details key={question}>
            <summary>{question}</summary>
            <p>{answer}</p>
          </details>
        ))}
      </div>
    </section>
  )
}
