/**
 * Given names with their forms and short forms, folded; a line is one name, and a short form can be in
 * several lines.
 */
const lines = `
  aaron ron ronnie
  abigail abby gail
  abraham abe bram
  adelheid heidi adelaide
  agnes aggie agnieszka
  albert al bert bertie alberto
  alexander alex alec sandy sasha sascha xander alexandre alejandro alessandro aleksander aleksandr
  alexandra alex sandra sandy sasha lexi alejandra alessandra aleksandra
  alfred al alf fred freddie alfredo
  alice ali alicia
  allison ali allie alison
  amanda mandy
  amelia amy millie
  andrew andy drew andreas andre andrea andrei andrzej anders
  angela angie angelika
  ann anne anna annie nan nancy anja anya hannah anita
  anthony tony antonio anton antoine toni antoni
  antonia toni tonia
  arthur art artie arturo
  augustus gus august
  barbara barb babs barbie
  bartholomew bart
  beatrice bea trixie beatrix beatriz
  benedict ben benedikt
  benjamin ben benny benji
  bernard bernie bernd bernhard bernardo
  bradley brad
  bridget biddy brigitte birgit
  calvin cal
  cameron cam
  caroline carrie carol carolyn carolina karoline karolina
  cassandra cassie sandra
  catherine cathy cath kate katie kathy kat kitty katherine kathryn katharina katarina katrin kathrin ekaterina katya
  charles charlie chuck carl karl carlos carlo chas
  charlotte charlie lottie lotte
  christian chris christiano kristian
  christina chris christine tina kristina kirsten christa
  christopher chris kit topher christoph christophe cristobal krzysztof
  clifford cliff
  constance connie
  cornelius con neil
  cynthia cindy
  daniel dan danny daniele
  danielle dani daniela
  david dave davy davide
  deborah deb debbie debra
  dennis denny denis
  diana di diane
  dietrich dieter
  dmitri dima dimitri dmitry
  dominic dom nick dominik dominique
  donald don donny
  dorothy dot dottie dolly dorothea dora thea
  douglas doug
  edgar ed
  edith edie
  edmund ed ned edmond
  edward ed eddie ted teddy ned eduard eduardo edouard
  eleanor ellie nell nora lenore elena eleonora
  elizabeth liz lizzie beth betty betsy eliza elsie elise lisa libby bess elisabeth elspeth isabel elisabetta lilibet
  emily em emma emilia emmy
  ernest ernie ernst ernesto
  esther essie hester
  eugene gene eugen
  evelyn eve evie
  evgeny zhenya yevgeny
  florence flo florrie
  frances fran fanny frankie franziska francesca francisca
  francis frank frankie franz francesco francisco paco pancho francois
  franklin frank
  frederick fred freddie rick friedrich frederic federico fritz
  gabriel gabe
  gabriela gabby gabi gabriele gabrielle
  gary gareth
  geoffrey geoff jeff jeffrey gottfried
  george georgie georg jorge giorgio jerzy juri yuri
  gerald gerry jerry gerhard gerard gerardo gerd
  gertrude trudy gertie gertrud
  gilbert gil bert
  giuseppe beppe pino
  gregory greg gregor grigori grisha
  guillermo memo
  gustav gus
  gwendolyn gwen wendy
  harold harry hal harald
  harriet hattie
  helen nell ellen helena helene lena
  henry harry hank hal heinrich heinz henri enrique enrico henrik
  herbert herb bert heribert
  howard howie
  hubert bert hugh
  ignatius iggy ignacio nacho
  irene renee irina
  isaac ike zac
  isabella bella izzy isabelle isabel isa
  jacob jake jakob jack
  jacqueline jackie
  james jim jimmy jamie jem jaime jacques giacomo diego santiago
  jane janie jenny joan johanna joanna jeanne juana giovanna hanna
  janet jan
  jason jay
  jennifer jen jenny jenna
  jeremiah jerry jem
  jeremy jerry jem
  jerome jerry
  jessica jess jessie
  joachim jochen achim
  john jack johnny jon johann johannes hans juan jean giovanni ivan jan sean ian evan
  jonathan jon jonny nathan
  joseph joe joey jo josef jose giuseppe pepe josip jozef
  josephine jo josie josefa
  joshua josh
  judith judy jutta
  julia julie jules giulia
  julian jules julien
  karen kari
  kenneth ken kenny
  kimberly kim
  konrad conrad curt kurt
  laura laurie lori
  lawrence larry laurie laurence lorenz lorenzo laurent
  leonard leo len lenny leonardo leonhard
  leopold leo
  lewis lou louis lew ludwig luis luigi ludovic lutz
  lillian lily lil
  louise lou luise luisa
  lucas luke luca lukas
  lucia lucy lucie luzia
  ludmila mila lyudmila
  madeleine maddie madeline magda magdalena lena
  malgorzata gosia
  manuel manny manu
  marcus mark marc markus marco marek
  margaret maggie meg peggy marge margie greta gretchen rita daisy margarete margarita marguerite margot
  marianne mary anne
  martha marty marta
  martin marty marten
  mary molly polly marie maria mia mimi miriam marion mariana masha mitzi
  matilda tilly mathilde
  matthew matt matty matthias mathieu matteo mateo
  maurice moritz mauricio morris
  maximilian max maxim
  maxine max
  melissa mel missy lissa
  melanie mel
  michael mike mick mickey mitch mikey michel miguel michele mikhail misha michal
  michelle shelly michaela micaela
  mildred millie
  mohammed mo muhammad mohamed mehmet
  mordecai mort
  natalie nat natalia natasha
  nathaniel nat nate nathan
  nicholas nick nicky nico claus klaus nicolas nikolaus nikolai kolya niklas niccolo
  nicole nicky nikki
  norman norm
  oliver ollie olli olivier
  olivia liv livvy
  oswald ozzie
  pamela pam
  patricia pat patty trish tricia patti
  patrick pat paddy patrik patricio
  paul pablo paolo pavel pauli
  pauline paula polly
  penelope penny
  peter pete pedro pietro pierre petr pyotr piotr petra
  philip phil pip philipp felipe filippo philippe
  prudence prue
  rachel rae raquel
  randolph randy
  raymond ray ramon raimund
  rebecca becky becca rebekka
  reginald reg reggie rex
  richard rick ricky dick rich richie ricardo riccardo
  robert bob bobby rob robbie bert roberto rupert
  roderick rod rick
  rodney rod
  roland rolly rolando
  ronald ron ronnie
  rosemary rose rosie
  rudolf rudi rolf rudolph
  russell russ
  samantha sam sammy
  samuel sam sammy
  sarah sally sadie sara
  sebastian seb bastian basti
  sergei seryozha serge sergio sergej
  sharon shari
  sidney sid sydney
  solomon sol
  sofia sophie sophia sonya
  stanley stan stanislaw
  stephanie steph stefanie fanny
  stephen steve stevie steven stefan stephan etienne esteban stefano
  stuart stu stewart
  susan sue susie suzy susanna suzanne susanne
  svetlana sveta
  tamara tammy
  tatiana tanya tania
  terence terry
  theodore ted teddy theo theodor teodoro fyodor
  theresa terry tess tessa tracy teresa therese resi
  thomas tom tommy tomas tommaso
  timothy tim timmy
  tobias toby tobi
  valentine val valentin
  valerie val valeria
  veronica ronnie vera veronika
  victor vic viktor vittorio
  victoria vicky tori viktoria
  vincent vince vinny vincenzo vicente
  virginia ginny
  vladimir vova volodya wladimir
  walter walt wally
  wilhelmina mina minnie wilma
  william bill billy will willie liam wilhelm guillaume guillermo guglielmo willi willem wim
  winifred winnie
  wolfgang wolf
  yvonne vonnie
  zachary zach zack
`
let namesOf: Map<string, string[]> | undefined

/** The other forms of a given name, long and short ("kathy": "katharina", "catherine"); `name` is folded. */
export function nicknamesOf(name: string): string[] {
  namesOf ??= readNames()
  return namesOf.get(name) ?? []
}

function readNames(): Map<string, string[]> {
  const others = new Map<string, Set<string>>()
  for (const line of lines.trim().split('\n')) {
    const names = line.trim().split(' ')
    for (const name of names) {
      const known = others.get(name) ?? new Set()
      for (const other of names) if (other !== name) known.add(other)
      others.set(name, known)
    }
  }
  return new Map([...others].map(([name, known]) => [name, [...known]]))
}
