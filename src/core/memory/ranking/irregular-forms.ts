/** English forms that no rule leads back to their base. One line for each base, the base first. */
const FORMS = `
be was were been am is are being
become became
begin began begun
bend bent
bite bit bitten
bleed bled
blow blew blown
break broke broken
bring brought
build built
burn burnt
buy bought
catch caught
kid child children
choose chose chosen
come came
cut cutting
deal dealt
dig dug
do did done does
draw drew drawn
dream dreamt
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
flee fled
fly flew flown
foot feet
forget forgot forgotten
forgive forgave forgiven
freeze froze frozen
get got gotten
give gave given
go went gone goes
grow grew grown
half halves
hang hung
have had has
hear heard
hide hid hidden
hold held
keep kept
knife knives
know knew known
lay laid
lead led
leaf leaves
learn learnt
leave left
lend lent
lie lain
life lives
light lit
lose lost
make made
man men
mean meant
meet met
mouse mice
pay paid
person people
ride rode ridden
ring rang rung
rise rose risen
run ran
say said
see saw seen
seek sought
sell sold
send sent
sew sewn
shake shook shaken
shelf shelves
shine shone
shoot shot
show shown
sing sang sung
sink sank sunk
sit sat
sleep slept
slide slid
speak spoke spoken
spell spelt
spend spent
spring sprang sprung
stand stood
steal stole stolen
stick stuck
strike struck
swear swore sworn
sweep swept
swim swam swum
take took taken
teach taught
tear tore torn
tell told
think thought
throw threw thrown
tooth teeth
understand understood
wake woke woken
wear wore worn
weave wove woven
wife wives
win won
wolf wolves
woman women
write wrote written
good better best
bad worse worst
favorite favourite
color colour
center centre
theater theatre
neighbor neighbour
mom mum mother mama mommy
dad father daddy papa
photo picture photograph pic
movie film
bike bicycle
`;

const BASES: ReadonlyMap<string, string> = new Map(
  FORMS.trim()
    .split('\n')
    .flatMap((line) => {
      const [base = '', ...forms] = line.split(' ');
      return forms.map((form) => [form, base] as const);
    }),
);

export function toBaseForm(word: string): string {
  return BASES.get(word) ?? word;
}
