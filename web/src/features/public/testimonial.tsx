/** The words are ours, and the page says so: nobody is quoted whom nobody asked. */
export function Testimonial() {
  return (
    <section className="section testimonial" aria-labelledby="testimonial-title">
      <h2 id="testimonial-title">
        In a developer’s words, <span>which we made up.</span>
      </h2>
      <figure>
        <blockquote>
          <p>
            “I no longer paste the same page of project notes into every session. My agent looks them up, and
            when it has something wrong, I open the graph and put it right.”
          </p>
        </blockquote>
        <figcaption>
          <span className="chip">Illustration</span> What we hope to hear. We wrote it ourselves; no customer
          did.
        </figcaption>
      </figure>
    </section>
  )
}
