// Stepping through a game: one number, `here`, says which step is shown; everything follows from it.

const PAUSE = 1300; // milliseconds between steps while it plays
const PLAY_ICON = "M6 4v16l14-8z";
const PAUSE_ICON = "M6 4h4v16H6zM14 4h4v16h-4z";

const replay = JSON.parse(document.getElementById("data").textContent);
const { steps } = replay;
const last = steps.length - 1;
const part = (id) => document.getElementById(id);
let here = -1;
let timer = null;

/** Return the name of a step in links. */
function stepName(place) {
  return place === last && replay.won !== null ? "end" : `decision-${place + 1}`;
}

/** Return the step that a link names, or -1. */
function stepOf(name) {
  return steps.findIndex((_, place) => stepName(place) === name);
}

function show(place) {
  place = Math.max(0, Math.min(last, place));
  if (place === here) return;
  here = place;
  const step = steps[here];
  part("slider").value = here;
  part("slider").setAttribute("aria-valuetext", stepTitle());
  part("here").textContent = `#${stepName(here)}`;
  part("here").href = `#${stepName(here)}`;
  for (const id of ["first", "turn-back", "back"]) part(id).setAttribute("aria-disabled", here === 0);
  for (const id of ["next", "turn-next", "last"]) part(id).setAttribute("aria-disabled", here === last);
  showTable(step);
  showDecision(step);
  showOnCurve();
  if (location.hash !== `#${stepName(here)}`) history.replaceState(null, "", `#${stepName(here)}`);
}

function stepTitle() {
  const step = steps[here];
  if (stepName(here) === "end") return "End of the game";
  const decisions = replay.won === null ? steps.length : last;
  const who = replay.names.length > 1 ? `, ${replay.names[step.player]}` : "";
  return `Decision ${here + 1} of ${decisions}, turn ${step.turn}${who}`;
}

function showTable(step) {
  const sides = replay.names.map((_, player) => playerBlock(replay, step, player));
  const middle = middleBlock(replay, step.scene);
  // Two players sit face to face, with the shared cards between them.
  sides.splice(1, 0, middle);
  if (step.scene.expansions) sides.push(expansionsBlock(replay, step.scene));
  const table = part("table");
  table.className = replay.names.length > 1 ? "together" : "alone";
  table.classList.toggle("modular", Boolean(step.scene.expansions));
  table.replaceChildren(element("div", { name: "players" }, ...sides), pilesBlock(replay, step.scene));
  for (const row of table.querySelectorAll(".row .cards")) row.scrollLeft = row.scrollWidth;
}

function showDecision(step) {
  part("where").textContent = stepTitle();
  part("question").textContent = step.question;
  const valued = step.choices.some((choice) => choice.length > 1);
  part("unit").hidden = !valued;
  part("choices").replaceChildren(...step.choices.map((choice, place) => choiceLine(step, choice, place)));
  part("after").hidden = step.happened.length === 0;
  part("happened").replaceChildren(...step.happened.map((line) => element("li", { text: line })));
  const taken = part("choices").querySelector(".taken");
  const list = part("choices");
  if (taken) list.scrollTop = taken.offsetTop - list.offsetTop - (list.clientHeight - taken.clientHeight) / 2;
}

function choiceLine(step, [words, value, bar], place) {
  const line = element("li", {}, element("span", { name: "words", text: words }));
  const taken = place === step.taken;
  line.classList.toggle("taken", taken);
  if (taken) line.append(element("em", { text: "taken" }));
  if (place === step.advised && !taken) line.append(element("em", { name: "advised", text: `choice of ${replay.adviser}` }));
  if (value !== undefined) {
    line.prepend(element("span", { name: "value", text: value }));
    const filled = element("i", {});
    filled.style.width = `${100 * bar}%`;
    line.append(element("span", { name: "bar" }, filled));
  }
  return line;
}

function place100(place) {
  return last === 0 ? 0 : (100 * place) / last;
}

function drawCurve() {
  if (replay.curve === null) return;
  const points = replay.curve.values.map((value, place) => `${10 * place100(place)} ${100 - 100 * value}`);
  part("curve-line").setAttribute("d", `M${points.join("L")}`);
  part("curve-label").textContent = replay.curve.label;
  part("curve").hidden = false;
  part("curve-area").addEventListener("click", (event) => {
    const area = part("curve-area").getBoundingClientRect();
    stop();
    show(Math.round((last * (event.clientX - area.left)) / area.width));
  });
}

function showOnCurve() {
  if (replay.curve === null) return;
  const value = replay.curve.values[here];
  const words = `${Math.round(100 * value)} %`;
  part("curve-value").textContent = words;
  part("curve-area").firstChild.setAttribute("aria-label", `${replay.curve.label}: ${words} here`);
  part("curve-here").style.left = part("curve-dot").style.left = `${place100(here)}%`;
  part("curve-dot").style.top = `${100 - 100 * value}%`;
}

/** Return the first decision of the next turn, or of this or the previous one. */
function turnFrom(place, forward) {
  const turn = steps[place].turn;
  if (forward) {
    const next = steps.findIndex((step, index) => index > place && step.turn !== turn);
    return next < 0 ? last : next;
  }
  const previous = steps[Math.max(0, place - 1)].turn;
  return steps.findIndex((step) => step.turn === previous);
}

function play() {
  if (here === last) show(0);
  timer = setInterval(() => (here === last ? stop() : show(here + 1)), PAUSE);
  showPlaying();
}

function stop() {
  clearInterval(timer);
  timer = null;
  showPlaying();
}

function showPlaying() {
  part("play-icon").setAttribute("d", timer === null ? PLAY_ICON : PAUSE_ICON);
  part("play").setAttribute("aria-label", timer === null ? "Play" : "Pause");
}

const COMMANDS = {
  first: () => show(0),
  "turn-back": () => show(turnFrom(here, false)),
  back: () => show(here - 1),
  next: () => show(here + 1),
  "turn-next": () => show(turnFrom(here, true)),
  last: () => show(last),
};
const KEYS = {
  Home: "first", PageUp: "turn-back", ArrowLeft: "back", ArrowRight: "next", PageDown: "turn-next", End: "last",
};

function begin() {
  document.body.classList.add(replay.won === null ? "under-way" : replay.won ? "won" : "lost");
  part("result").textContent = replay.result;
  part("hidden-note").hidden = !replay.closed;
  part("slider").max = last;
  if (replay.unit) part("unit").textContent = `Numbers: the ${replay.unit} that ${replay.adviser} gives each choice.`;
  part("note").hidden = replay.note === null;
  part("note").textContent = replay.note ?? "";
  for (const [id, command] of Object.entries(COMMANDS)) {
    part(id).addEventListener("click", () => { stop(); command(); });
  }
  part("play").addEventListener("click", () => (timer === null ? play() : stop()));
  part("slider").addEventListener("input", (event) => { stop(); show(Number(event.target.value)); });
  addEventListener("hashchange", () => { stop(); show(Math.max(0, stepOf(location.hash.slice(1)))); });
  addEventListener("keydown", onKey);
  drawCurve();
  show(Math.max(0, stepOf(location.hash.slice(1))));
}

function onKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key in KEYS) {
    stop();
    COMMANDS[KEYS[event.key]]();
  } else if (event.key === " " && !event.target.closest("button, a")) {
    if (timer === null) play();
    else stop();
  } else {
    return;
  }
  event.preventDefault();
}

begin();
