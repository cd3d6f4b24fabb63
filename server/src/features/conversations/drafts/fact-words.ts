const weights = `
  about:4 above:5 add:-2 after:-2 again:-4 all:4 also:-2 an:4 and:4 any:6 anything:5 app:2 april:-2 are:5 as:6
  at:8 b:2 be:4 because:2 before:-4 below:2 better:4 between:2 bit:3 board:4 both:4 build:-2 but:-6 by:3
  cache:-4 can:-3 can't:2 column:-2 come:2 could:-4 customer:3 days:-3 delete:-2 do:4 doesn't:-2 don't:6 dr:8
  e:2 ends:3 english:4 even:2 ever:2 everything:6 example:5 fails:-2 file:4 filter:-2 find:-2 fix:-2 for:2
  french:3 german:3 get:4 gets:8 give:-2 gives:-2 go:7 goes:3 got:7 h:5 had:4 has:2 have:2 he:2 her:2 here:6
  him:2 his:4 i:2 i'd:-3 i'm:6 id:2 if:-3 in:9 is:4 isn't:-3 it:2 it's:2 its:4 january:3 june:-2 just:-3 k:6
  key:-3 last:4 leave:5 like:-2 limit:-2 list:-2 mail:3 max:3 may:2 maybe:-2 me:6 minutes:-3 month:2 more:4
  much:-2 my:9 name:6 need:-4 new:2 no:8 nobody:3 nothing:4 number:6 of:3 office:3 old:11 on:8 one:5 only:2
  or:3 order:-4 orders:-3 otherwise:4 our:6 over:2 page:-2 people:4 pls:-2 reads:5 real:5 remember:-4 repo:5
  returns:-2 room:2 row:-3 run:2 runs:5 same:-4 says:-4 seconds:-6 send:3 server:-2 set:-3 she:9 should:-4
  show:3 shows:-4 since:4 so:15 stay:2 stays:-3 stuff:6 summer:3 sync:-4 take:2 tell:-4 test:5 that:6 that's:9
  thats:3 the:2 their:3 them:3 then:5 there:3 there's:5 these:2 thing:5 think:-3 this:4 those:5 three:-3
  through:3 time:-4 times:-4 to:2 today:-2 try:2 two:-2 under:5 up:4 us:6 use:7 w:5 want:5 wants:2 was:-2
  we're:3 week:2 weeks:4 well:2 when:-3 whether:-2 which:-4 whole:5 why:-3 with:2 without:2 words:2 work:3
  works:4 would:-2 wrong:-2 year:9 you:-2 your:-3`

/** How much a word of an English statement speaks for it being a fact worth remembering, learned with `factSigns`. */
export const factWords: ReadonlyMap<string, number> = new Map(
  weights.split(/\s+/).flatMap((entry) => {
    const [, word, tenths] = /^(.+):(-?\d+)$/.exec(entry) ?? []
    return word === undefined ? [] : [[word, Number(tenths) / 10]]
  }),
)
