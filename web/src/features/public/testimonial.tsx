/** Takes the place of customer quotes; until there are any, it says what the product is for. */
export function Testimonial() {
  return (
    <section className="section testimonial" aria-labelledby="testimonial-title">
      <h2 id="testimonial-title">
        The sentence <span>we work for.</span>
      </h2>
      <figure>
        <blockquote>
          <p>
            I no longer paste the same page of project notes into every session. My agent looks them up, and
            when it has something wrong, I open the graph and put it right.
          </p>
        </blockquote>
        <figcaption>
          Our aim, in our own words. When you can say it too, we would like to quote you.
        </figcaption>
      </figure>
    </section>
  )
}
