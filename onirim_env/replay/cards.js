"use strict";
// How cards look: the shapes stand in page.html, the colours in the style.

const SVG = "http://www.w3.org/2000/svg";
const UNKNOWN = "?";

/** Return a new element of the page with text, class and children. */
function element(tag, { text, name, label } = {}, ...children) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (name) made.className = name;
  if (label) made.setAttribute("aria-label", label);
  made.append(...children);
  return made;
}

function drawn(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Return the picture of a card: of a kind by its letter, or a back. */
function cardPicture(letter, cards) {
  if (letter === UNKNOWN) {
    const rhombs = [18, 12, 6].map((x) => drawn("path", { d: `M25 ${35 - 1.4 * x}l${x} ${1.4 * x}-${x} ${1.4 * x}-${x}-${1.4 * x}z` }));
    return drawn("svg", { viewBox: "0 0 50 70", class: "back" }, face(), ...rhombs);
  }
  const [name, sign, , edges] = cards.kinds[letter];
  const [colour, symbol] = name.includes(" ") ? name.split(" ") : ["", name];
  const text = drawn("text", { x: 5, y: 21 });
  text.textContent = sign;
  const size = edges ? 24 : 38;
  const shape = drawn("use", { href: `#${symbol}`, x: 25 - size / 2, y: 45 - size / 2, width: size, height: size });
  const look = `${colour} ${symbol === "door" || symbol === "nightmare" ? symbol : "location"}`;
  return drawn("svg", { viewBox: "0 0 50 70", class: look.trim() }, face(), text, shape, ...edgeShapes(edges));
}

/** Return the symbols at the left and right edge of a Tower; nothing for other cards. */
function edgeShapes(edges = []) {
  return edges.flatMap((symbols, side) => symbols.map((symbol, place) =>
    drawn("use", { href: `#${symbol}`, x: side ? 36 : 2, y: 30 + 17 * place, width: 12, height: 12 })));
}

/** Return in words what stands at the edges of a Tower. */
function edgeWords(edges) {
  return ["left", "right"].map((side, place) => `${side} ${edges[place].join(" and ") || "nothing"}`).join(", ");
}

function face() {
  return drawn("rect", { x: 1, y: 1, width: 48, height: 68, rx: 6 });
}

/**
 * Return a card: its picture, and what is to be said of it.
 * number: how many lie there (0 is an empty place); note: a word below it; running: part of the series.
 */
function card(letter, cards, { number = 1, note = "", running = false, counted = false } = {}) {
  const [name, , , edges] = letter === UNKNOWN ? ["unknown card"] : cards.kinds[letter];
  const several = counted || number > 1 ? `${number} ${name}` : name;
  const picture = cardPicture(letter, cards);
  const label = [number === 0 ? `no ${name}` : several, edges && edgeWords(edges), note].filter(Boolean).join(", ");
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", label);
  const title = drawn("title", {});
  title.textContent = label;
  picture.prepend(title);
  const whole = element("span", { name: "card" }, picture);
  whole.classList.toggle("empty", number === 0);
  whole.classList.toggle("running", running);
  if (number > 0 && (counted || number > 1)) whole.append(element("b", { text: String(number) }));
  if (note) whole.append(element("small", { text: note }));
  return whole;
}

/** Return a named part of the table. */
function zone(title, cards, name) {
  return element("div", { name: `zone ${name}` }, element("h3", { text: title }), element("div", { name: "cards" }, ...cards));
}

function each(letters, cards, options = () => ({})) {
  return [...letters].map((letter, place) => card(letter, cards, options(place)));
}

function countOf(letters, letter) {
  return [...letters].filter((one) => one === letter).length;
}

function letterOf(name, cards) {
  return Object.keys(cards.kinds).find((letter) => cards.kinds[letter][0] === name);
}

/** Return a player's side of the table. */
function playerBlock(replay, step, player) {
  const { cards, names } = replay;
  const side = step.scene.players[player];
  const alone = names.length === 1;
  const places = cards.doorsPerColour / names.length;
  const doors = cards.colours.flatMap((colour) => {
    const letter = letterOf(`${colour} door`, cards);
    const number = countOf(side.doors, letter);
    // Where Doors have one place, a second one of the colour lies on the first.
    if (places === 1) return [card(letter, cards, { number })];
    return Array.from({ length: places }, (_, place) => card(letter, cards, { number: place < number ? 1 : 0 }));
  });
  const oniverse = letterOf("oniverse door", cards);
  if (oniverse && (alone || side.doors.includes(oniverse))) doors.push(card(oniverse, cards, { number: countOf(side.doors, oniverse) }));
  const first = side.row.length - side.series;
  const seriesColours = [...side.row].slice(first).map((letter) => cards.kinds[letter][0].split(" ")[0]);
  const colour = seriesColours.find((name) => cards.colours.includes(name)) ?? "";
  const running = side.series ? `, ${colour} series ${side.series} of 3` : "";
  const block = element("div", { name: "player" },
    zone(`Doors: ${side.doors.length}`, doors, "doors"),
    zone(`Row: ${side.row.length}${running}`, each(side.row, cards, (place) => ({ running: place >= first })), "row"),
    zone("Hand", each(side.hand, cards, (place) => ({ note: side.hidden[place] === "1" ? "hidden" : "" })), "hand"),
  );
  const moves = step.player === player && step.choices.length > 0;
  block.classList.toggle("moves", moves && !alone);
  if (!alone) block.prepend(element("h2", { text: names[player] + (moves ? ", to move" : "") }));
  return block;
}

/** Return the cards that belong to nobody and those that a decision is about; nothing where there are none. */
function middleBlock(replay, scene) {
  const titles = { shared: "Shared", drawn: "Drawn", swapping: "Swapping", revealed: "Prophecy", placed: "Put back" };
  const zones = Object.keys(titles)
    .filter((name) => scene[name])
    .map((name) => zone(titles[name], each(scene[name], replay.cards), name));
  return element("div", { name: "middle" }, ...zones);
}

/** Return the zones of expansions: their cards in small, and what is to be said of them. */
function expansionsBlock(replay, scene) {
  const zones = scene.expansions.map(({ label, groups, marked, words }) => {
    const shown = groups.flatMap((letters, place) => [
      ...(place ? [element("i", { text: "|" })] : []),
      ...each(letters, replay.cards, (index) => (marked.includes(index) ? { number: 0, note: "met" } : {})),
    ]);
    const title = label[0].toUpperCase() + label.slice(1);
    return zone(words ? `${title}: ${words}` : title, shown, "expansion");
  });
  return element("div", { name: "expansions" }, ...zones);
}

/** Return deck, Limbo and discard pile. */
function pilesBlock(replay, scene) {
  const { cards } = replay;
  const letters = Object.keys(cards.kinds);
  const limbo = letters.filter((letter) => scene.limbo.includes(letter));
  // A line for each colour, then the Nightmares.
  const colourOf = (letter) => cards.colours.indexOf(cards.kinds[letter][0].split(" ")[0]);
  const lines = [...cards.colours.keys(), -1].flatMap((colour) => letters.filter((letter) => colourOf(letter) === colour));
  const pile = lines.map((letter) => card(letter, cards, { number: countOf(scene.discard, letter), counted: true }));
  const deck = zone("Deck", [card(UNKNOWN, cards, { number: scene.deck, counted: true }), ...each(scene.top, cards)], "deck");
  if (scene.top) deck.firstChild.textContent = "Deck, next cards";
  return element("div", { name: "piles" }, deck,
    zone(limbo.length ? "Limbo" : "Limbo: empty", limbo.map((letter) => card(letter, cards, { number: countOf(scene.limbo, letter), counted: true })), "limbo"),
    zone(`Discard pile: ${scene.discard.length}`, pile, "discard"));
}
