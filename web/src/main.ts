import { mount } from "svelte";

import App from "./app/App.svelte";
import "./theme/fonts.css";
import "./theme/tokens.css";
import "./art/ink.css";
import "./theme/base.css";

const target = document.getElementById("app");
if (target === null) throw new Error("index.html has no place for the game");
mount(App, { target });
