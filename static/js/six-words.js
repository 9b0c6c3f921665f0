// A record's head in six words, to be read aloud. Places are those of the vendored list; a word that nobody likes to read
// out at a table gives its place to the word behind its "=". The server reads this file too (app/receipts/chain.py).

import { wordlist } from "../vendor/scure-bip39/2.4.0/english.js";

const INSTEAD = [
  "abuse=acorn accident=almond accuse=amber addict=anvil afraid=apron alcohol=aquarium anger=apricot angry=arcade",
  "anxiety=aurora arrest=avenue assault=azure asthma=aroma attack=atlas awful=bramble awkward=bugle betray=badger",
  "bitter=bagel blame=bakery bleak=barley blind=basil blood=beaver body=beehive bomb=beetle boring=berry",
  "broken=biscuit bullet=bluebell burden=bonfire cancel=camel cannon=candle casino=canary chaos=caramel",
  "cheap=caravan chronic=carrot cigar=cedar crack=cello crash=chestnut crazy=cinema crime=clover cruel=cobalt",
  "crush=cobweb cry=cocoa damage=dahlia damp=daisy danger=dandelion decline=dapple defy=dazzle demise=dewdrop",
  "denial=diploma deny=domino despair=donut destroy=doodle dirt=dragonfly disease=drizzle dismiss=drummer",
  "disorder=duckling divorce=dulcimer dizzy=dumpling drastic=butterfly drip=comet dumb=compass enemy=easel",
  "erase=eclair erode=eggshell erosion=ember error=emerald evil=encore execute=evergreen exhaust=espresso",
  "exile=cookie expose=crayon false=falcon fat=feather fatal=fern fatigue=fiddle fault=finch female=firefly",
  "fever=fireplace flee=fjord fragile=flute frown=foxglove fury=freckle garbage=garland gas=gazelle gasp=gecko",
  "gloom=geyser gossip=gnome grief=goblet grit=gondola grunt=gooseberry guilt=gravy gun=griffin harsh=hammock",
  "hazard=harp horror=hazel hurt=heather idle=icicle ill=igloo illegal=indigo illness=inkwell infant=iris",
  "inflict=islet inject=ivy injury=crocus inmate=crown insane=fudge isolate=groove jealous=jasmine junk=jigsaw",
  "kick=kayak kidney=keyhole kiss=knapsack knife=kindle lawsuit=lantern lazy=lagoon liar=lark lonely=lavender",
  "mad=mallow maid=mandolin misery=marigold mistake=marmot mosquito=meerkat naive=nectar nasty=nightingale",
  "negative=noon neglect=nugget nerve=nutmeg nuclear=heron obey=oasis obscure=oatmeal odor=oboe orphan=octagon",
  "panic=pancake peasant=paprika penalty=parsley pig=pebble pill=penguin pistol=peony police=petal poverty=pickle",
  "prison=pillow problem=pinecone regret=radish reject=rainbow rifle=raisin riot=raspberry risk=reindeer",
  "rough=robin rude=rosemary sad=saffron sadness=sandal satoshi=sapling scare=sapphire scorpion=satchel shaft=scarf",
  "shock=seashell shoot=seesaw shove=sesame sick=shamrock siege=shepherd skull=sleigh slam=snowball slender=snowman",
  "slim=sofa slush=sorbet sniff=sparkle spoil=sparrow sting=spinach stomach=spruce struggle=squid stumble=stanza",
  "suffer=starling suspect=stork swamp=strudel swear=sundial symptom=sunflower tattoo=tadpole tobacco=tambourine",
  "toilet=tangerine tornado=tapestry tragic=teacup trap=teapot trash=thimble trouble=thistle ugly=ukulele",
  "unable=umber unfair=unicorn unhappy=upbeat upset=hiccup useless=honeybee vacant=valentine vague=vanilla",
  "vicious=violet virus=viola void=volley warfare=waffle waste=walrus weapon=waltz weird=wardrobe worry=watermelon",
  "wreck=whisker wrong=windmill",
];

const friendlier = new Map(INSTEAD.flatMap((line) => line.split(" ")).map((pair) => pair.split("=")));

export const words = wordlist.map((word) => friendlier.get(word) ?? word);

export function sixWords(head) {
  const bits = BigInt(`0x${head.slice(0, 18)}`) >> 6n;
  return [0, 1, 2, 3, 4, 5].map((place) => words[Number((bits >> BigInt(55 - 11 * place)) & 2047n)]).join(" ");
}
