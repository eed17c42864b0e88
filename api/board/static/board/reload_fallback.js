// Fallback for a browser in which the module of the board does not run: reloads the page while the server answers.
setInterval(function () {
  var state = document.getElementById("state");
  if (state && state.hasAttribute("data-state")) return;
  var asked = new XMLHttpRequest();
  asked.onload = function () {
    if (asked.status === 200) location.reload();
  };
  asked.open("GET", location.href);
  asked.send();
}, 30000);
